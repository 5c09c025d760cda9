# The GitHub App: docker build -t roadmap-executor . ; docs/app.md says how to run it.
# The release names it by its digest.
ARG BASE=node:24-slim
FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY packages packages
# The bundler's own parts are optional dependencies.
RUN npm ci
COPY . .
RUN npm run build

FROM ${BASE}
# git fetches and pushes; bubblewrap keeps a repository's tests apart (runner: local).
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/app-server packages/app-server
# Probot, the queue and the embedded database are not in the bundle.
RUN npm ci --omit=dev --omit=optional --workspace packages/app-server && npm cache clean --force
COPY --from=build /build/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
# It writes only to /data and /tmp, so the rest can be mounted read-only.
ENV NODE_ENV=production EXECUTOR_DATA=/data XDG_CACHE_HOME=/data/cache PORT=3000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/executor.cjs", "app"]
