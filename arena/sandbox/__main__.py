"""Prints the seccomp profile for Docker: `python -m arena.sandbox > docker/seccomp.json`."""

from arena.sandbox.profile import docker_profile

print(docker_profile(), end="")
