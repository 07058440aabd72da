# reconcile and GNU Backgammon in one image, for programs that are not in Python and for CI systems that run containers.
#
#     docker build --tag reconcile 'https://github.com/OWNER/reconcile.git#REF'
#     docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" reconcile validate reference_matches
#
# docs/ci.md has whole jobs, for programs in Go and Rust too. The lock fixes every Python package; where nothing may change between two
# builds, add the digest to the tag of the image below.
FROM debian:12.11-slim AS base
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gnubg=1.07.001-* python3=3.11.* \
    && rm -rf /var/lib/apt/lists/*

FROM base AS built
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-venv=3.11.* \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /usr/local/lib/reconcile
WORKDIR /source
COPY .ci/action.txt .ci/
RUN /usr/local/lib/reconcile/bin/pip install --no-cache-dir --require-hashes --requirement .ci/action.txt
COPY LICENSE README.md hatch_build.py pyproject.toml tolerances.yaml ./
COPY docs/ci/gitlab.yml docs/ci/
COPY engine_benchmark engine_benchmark
COPY reconcile reconcile
COPY reference_matches reference_matches
COPY conformance conformance
RUN /usr/local/lib/reconcile/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM base
COPY --from=built /usr/local/lib/reconcile /usr/local/lib/reconcile
# Only the command is in PATH, so that a candidate in Python sees none of its packages.
RUN ln -s /usr/local/lib/reconcile/bin/reconcile /usr/local/bin/reconcile
# Whoever runs it may have no home; all that is ever written besides the outputs is in /tmp.
ENV LANG=C.UTF-8 HOME=/tmp RECONCILE_CACHE=/tmp/reconcile PATH=/usr/local/bin:/usr/bin:/bin:/usr/games
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["reconcile"]
CMD ["--help"]
