# The referee and the ladder, with the shipped bots. Build from the root of the checkout:
#   docker build --file docker/referee.Dockerfile --tag arena-referee .
# Both bases are arguments, so that local ones can be used. They must bring the same Python, 3.11 or newer, at the
# same place; the first one also pip and a C compiler.
ARG BUILD_BASE=python:3.11-bookworm
ARG BASE=python:3.11-slim-bookworm

FROM ${BUILD_BASE} AS build
# Every file that is installed later is checked against the lock here; after this, nothing comes from outside.
COPY requirements.lock /build/
RUN python3 -m pip download --quiet --no-deps --require-hashes --use-pep517 \
    --requirement /build/requirements.lock --dest /wheels
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE run.py /build/
COPY arena /build/arena
COPY ladder /build/ladder
COPY agents /build/agents
ARG ARENA_COMPILE=must
RUN python3 -m pip wheel --quiet --no-deps --wheel-dir /wheels /build
RUN python3 -m venv --without-pip /opt/arena \
    && python3 -m pip --python /opt/arena/bin/python install --quiet tabletop-arena

FROM ${BASE}
# bwrap, prlimit and setpriv, for agents in jails; a base that has them is left as it is.
RUN if ! command -v bwrap >/dev/null || ! command -v setpriv >/dev/null; then \
        apt-get update && apt-get install --yes --no-install-recommends bubblewrap util-linux \
        && rm -rf /var/lib/apt/lists/*; \
    fi
COPY --from=build /opt/arena /opt/arena
COPY docker/healthcheck.py /opt/arena/
# A volume that is mounted at /data begins as a copy of this folder, its owner included.
RUN install --directory --owner=61184 --group=61184 --mode=0700 /data
USER 61184:61184
ENV ARENA_HOME=/data HOME=/tmp PATH=/opt/arena/bin:/usr/local/bin:/usr/bin:/bin PYTHONUNBUFFERED=1
WORKDIR /data
HEALTHCHECK --interval=30s --timeout=30s --start-period=120s CMD ["python", "/opt/arena/healthcheck.py"]
ENTRYPOINT ["arena"]
CMD ["--help"]
