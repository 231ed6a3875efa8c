# Ribit in a container: see docs/operating.md.

FROM python:3.12-slim AS build
COPY requirements/run.txt /source/requirements.txt
RUN python -m venv /opt/ribit \
    && /opt/ribit/bin/pip install --no-cache-dir --require-hashes -r /source/requirements.txt
COPY pyproject.toml README.md LICENSE /source/
COPY bot /source/bot
COPY cogs /source/cogs
RUN /opt/ribit/bin/pip install --no-cache-dir --no-deps --no-build-isolation /source

FROM python:3.12-slim
# FriBiDi is what Pillow draws Arabic, Hebrew, Devanagari and Thai names with.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/*
# Numbers, so that a host can give a folder to this user and tell that it is not root.
RUN groupadd --system --gid 10001 ribit \
    && useradd --system --uid 10001 --gid ribit --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin ribit \
    && install --directory --owner=ribit --group=ribit --mode=0700 /data
COPY --from=build /opt/ribit /opt/ribit
ENV PATH="/opt/ribit/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    RIBIT_DATABASE=/data/ribit.sqlite3
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=2 \
    CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
