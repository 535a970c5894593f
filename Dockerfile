FROM node:24.11.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json codegen.ts prisma.config.ts schema.graphql CHANGELOG.md ./
COPY bin bin
COPY docs docs
COPY packages/client packages/client
COPY scripts scripts
COPY prisma prisma
COPY src src
RUN npm run build && npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund

FROM node:24.11.1-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/prisma prisma
COPY --from=build /app/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "dist/src/main.js"]
