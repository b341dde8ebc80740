# syntax=docker/dockerfile:1
# The service for production, with a database of its own elsewhere (DATABASE_URL); compose.yaml brings one.

FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/channel-simulator/package.json apps/channel-simulator/
COPY apps/demo/package.json apps/demo/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY domains/package.json domains/
COPY kit/contract/package.json kit/contract/
COPY kit/server/package.json kit/server/
COPY kit/web/package.json kit/web/

FROM manifests AS web
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --no-audit --no-fund
COPY apps apps
COPY domains domains
COPY kit kit
RUN node apps/web/build.ts

# The image has its Node and no database: those are optional to the whole, so one workspace brings neither; nothing here is built.
FROM manifests AS packages
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --workspace=@zhangfang/app-server --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY kit kit
COPY db db
COPY domains domains
COPY apps/server apps/server
COPY apps/demo apps/demo
COPY apps/channel-simulator apps/channel-simulator
COPY apps/device-simulator apps/device-simulator
COPY apps/platform-simulator apps/platform-simulator
COPY tools/backup tools/backup
COPY --from=web /app/apps/web/dist apps/web/dist
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "apps/server/main.ts"]
