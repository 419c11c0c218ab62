# What a Python bot runs on at the levels docker, podman and gvisor: a Python, and the bots' runtime. Build it after
# the referee's image, from the root of the checkout:
#   docker build --file docker/agent-python.Dockerfile --tag arena-agent-python .
# The runtime is taken from the referee's image, so that both have the same rules and speak the same protocol; BASE
# must be what that image was built on. Bots that need more get it from an image that begins with this one.
ARG REFEREE=arena-referee
ARG BASE=python:3.11-slim-bookworm

FROM ${REFEREE} AS referee
RUN ["python", "-c", "from pathlib import Path; from arena import runtime; from arena.home import Home; \
    runtime.prepare(Home(Path('/tmp/home'))).prefix.rename('/tmp/runtime')"]

FROM ${BASE}
COPY --from=referee --chown=0:0 /tmp/runtime /runtime
# For commands that begin with a Python other than the bots' own.
RUN cd /runtime && ln -s lib/python3.*/site-packages packages
# Agents are started with uids of their own; this one is for whoever looks inside.
USER 61183:61183
ENV HOME=/tmp
CMD ["/runtime/bin/python"]
