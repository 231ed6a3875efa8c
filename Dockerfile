# The image of Ribit. See docs/operating.md. The base image is pinned by its multi-platform digest, which
# docker-library/repo-info on GitHub lists. Each release updates it.

FROM python:3.12-slim@sha256:229a2c5bfa27522db7815ea81f9bed70af17ccb9de9fc7ad142b1877b5830d36 AS build
WORKDIR /source
COPY requirements/run.txt requirements/build.txt requirements/
# The final image gets only /opt/ribit, without pip and the build tools.
RUN python -m venv --without-pip /opt/ribit \
    && pip --python /opt/ribit/bin/python install --no-cache-dir --require-hashes -r requirements/run.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/build.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY bot bot
COPY cogs cogs
RUN python -m hatchling build --target wheel --directory /built \
    && pip --python /opt/ribit/bin/python install --no-cache-dir --no-deps /built/*.whl

FROM python:3.12-slim@sha256:229a2c5bfa27522db7815ea81f9bed70af17ccb9de9fc7ad142b1877b5830d36
# Pillow needs FriBiDi to draw Arabic, Hebrew, Devanagari and Thai names.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/* \
    && pip uninstall --yes pip \
    && rm -rf /usr/local/lib/python3.*/ensurepip
# Numeric IDs let a host give a folder to this user, and check that it is not root.
RUN groupadd --system --gid 10001 ribit \
    && useradd --system --uid 10001 --gid ribit --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin ribit \
    && install --directory --owner=ribit --group=ribit --mode=0700 /data
COPY --from=build /opt/ribit /opt/ribit
ENV PATH="/opt/ribit/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    container=docker \
    RIBIT_DATABASE=/data/ribit.sqlite3
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=2 \
    CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
