# Build: docker build -t svc .
# Run:   docker run -p 127.0.0.1:8400:8400 -e SVC_API_KEYS=choose-one -v svc-data:/app/data svc
# Without keys it refuses to listen beyond the container; `docker run … svc serve --allow-open` overrules that.
# `node scripts/dockerfile-steps.js` runs these steps in order in an empty folder, without Docker.

FROM node:20-bookworm AS build
WORKDIR /app
ENV ONNXRUNTIME_NODE_INSTALL=skip
COPY package.json package-lock.json ./
RUN npm_config_nodedir="$(dirname "$(dirname "$(command -v node)")")" npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY web web
COPY scripts/bundle.js scripts/bundle.js
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
ENV SVC_HOST=0.0.0.0
ENV SVC_DATA_DIR=./data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY config config
COPY schemas schemas
COPY models models
RUN mkdir data && chown 1000:1000 data
USER 1000:1000
VOLUME /app/data
EXPOSE 8400 8741
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD node -e "fetch('http://127.0.0.1:' + (process.env.SVC_PORT || 8400) + '/v1/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "--max-semi-space-size=4", "--v8-pool-size=1", "dist/program/main.js"]
CMD ["serve"]
