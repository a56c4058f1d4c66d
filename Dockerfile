# `npm run packaging -- image` builds and runs it, on a plain Debian 12 with Node.js in place of the official image.

# The image of Node.js 24 with its digest, such as node:24-bookworm-slim@sha256:…: a tag may name another image later. There is no
# default: look up the digest as compose.yaml describes. Debian 12, because telephone calls were tried with its baresip only.
ARG NODE_IMAGE

FROM ${NODE_IMAGE} AS build
WORKDIR /tocsin
COPY package.json package-lock.json .npmrc tsconfig.base.json tsconfig.json ./
COPY packages ./packages
# The documentation that the server shows is built from it.
COPY docs ./docs
# npm needs every workspace that the lock file names.
COPY tools/package.json ./tools/
COPY acceptance/package.json ./acceptance/
COPY bench/package.json ./bench/
# Without install scripts, which would only download the Node.js that this image has. The second
# installation begins anew, because npm leaves the tools of other workspaces there otherwise. At the end only the files are left that a
# running server reads: no sources, types and maps, and not the packages of other programs.
RUN npm ci --ignore-scripts && npx tsc -b && npm run build --workspace packages/console --workspace packages/help \
  && rm -rf node_modules packages/*/node_modules && npm ci --ignore-scripts --omit=dev --workspace packages/server \
  && rm -rf packages/cli packages/client node_modules/@tocsin/cli node_modules/@tocsin/client \
  && find packages -mindepth 2 -maxdepth 2 ! -name dist ! -name migrations ! -name data ! -name package.json ! -name node_modules -exec rm -r {} + \
  && find packages/*/dist -name '*.d.ts' -delete -o -name '*.map' -delete -o -name '.tsbuildinfo' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# Listens on all addresses of the container; published ports are chosen when it is run.
ENV HOST=0.0.0.0
# Telephone calls need them: baresip makes the calls, espeak-ng speaks, sox converts sound (docs/sip.md).
RUN apt-get update -q \
  && apt-get install -y -q --no-install-recommends baresip-core espeak-ng sox \
  && rm -rf /var/lib/apt/lists/*
# The file system of the container is read-only, except for /tmp.
ENV SPEECH_DIRECTORY=/tmp/tocsin-speech
WORKDIR /tocsin
COPY --from=build /tocsin/node_modules ./node_modules
COPY --from=build /tocsin/packages ./packages
COPY LICENSE ./
USER node
EXPOSE 8080
# Checks that the server is live, not ready: a container must not be restarted because the database is down.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch((process.env.TLS_CERT_FILE ? 'https' : 'http') + '://127.0.0.1:' + (process.env.PORT || 8080) + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "packages/server/dist/main.js"]
