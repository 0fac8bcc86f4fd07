# Builds with the development packages, and runs without them as a user without rights. See deploy/README.md.
# The release of Debian decides on the version of pg_dump: that of the server, or newer.
ARG NODE=22-trixie-slim

FROM node:${NODE} AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --no-audit --no-fund --ignore-scripts

FROM node:${NODE}
# Backups of PostgreSQL are made by pg_dump, and brought back by pg_restore.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /src/package.json /src/README.md /src/CHANGELOG.md ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/bin bin
COPY --from=build /src/dist dist
# Key, database, templates and blocklist: the one folder that is written.
RUN install -d -o 1000 -g 1000 -m 700 /data
ENV NODE_ENV=production SEO_ADMIN_DATA_DIR=/data SEO_ADMIN_LANG=en
VOLUME /data
USER 1000:1000
# A worker's probes are on 4190.
EXPOSE 4180 4190
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4180/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/seo-admin.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "4180"]
