# Not run yet: no container engine was at hand. The steps themselves were tried outside one.

# The image of Node.js 24 with its digest, such as node:24-slim@sha256:…: a tag alone is another image tomorrow. There is no
# default, because a digest is to be looked up by whoever builds. docs/operations.md tells how.
ARG NODE_IMAGE

FROM ${NODE_IMAGE} AS build
WORKDIR /tocsin
COPY package.json package-lock.json .npmrc tsconfig.base.json tsconfig.json ./
COPY packages ./packages
# npm wants to see every workspace that the lock file names.
COPY tools/package.json ./tools/
COPY acceptance/package.json ./acceptance/
COPY bench/package.json ./bench/
# Without install scripts: they would only fetch the Node that this image is made of.
RUN npm ci --ignore-scripts && npx tsc -b && npm ci --ignore-scripts --omit=dev --workspace packages/server

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# All addresses of the container; which of its ports others reach is said where it is run.
ENV HOST=0.0.0.0
WORKDIR /tocsin
COPY --from=build /tocsin/node_modules ./node_modules
COPY --from=build /tocsin/packages ./packages
COPY LICENSE ./
USER node
EXPOSE 8080
# Live, not ready: a container must not be restarted because the database is away.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch((process.env.TLS_CERT_FILE ? 'https' : 'http') + '://127.0.0.1:' + (process.env.PORT || 8080) + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "packages/server/dist/main.js"]
