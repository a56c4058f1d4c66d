import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hubName } from '@tocsin/contract';
import { type HubEndpoint, wasForwarded } from '@tocsin/signalr';
import type { HttpApp } from '../http/http-app.ts';

/** The handlers of the two protocol families; undefined until the server knows its own address. */
export type HubEndpoints = { readonly core: HubEndpoint; readonly classic: HubEndpoint } | undefined;

type HubPath = { readonly family: 'core' | 'classic'; readonly path: string };

const classicMount = '/signalr';
const coreMounts = [`/${hubName}`, `${classicMount}/${hubName}`].map((mount) => mount.toLowerCase());

export type HubPaths = {
  readonly basePath: string;
  readonly endpoints: () => HubEndpoints;
  /** Whether a request comes from another server of the installation: only those may forward requests. */
  readonly isNode: (request: IncomingMessage) => boolean;
};

/** The family of a path and its part below the mount, ignoring case and a slash at the end. */
function parseHubPath(basePath: string, url: string | undefined): HubPath | undefined {
  const path = (url?.split('?', 1)[0] ?? '').toLowerCase().replace(/\/$/, '');
  if (!path.startsWith(basePath.toLowerCase())) return undefined;
  const hubPath = path.slice(basePath.length);
  const below = (mount: string) => hubPath === mount || hubPath.startsWith(`${mount}/`);
  const core = coreMounts.find(below);
  if (core !== undefined) return { family: 'core', path: hubPath.slice(core.length) };
  return below(classicMount) ? { family: 'classic', path: hubPath.slice(classicMount.length) } : undefined;
}

/** Whether an upgrade request is for the hub. Others are answered as plain HTTP. */
export function isHubUpgrade(basePath: string, { url, headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && parseHubPath(basePath, url) !== undefined;
}

/**
 * Passes raw requests below the mounts to the hub: it reads bodies as streams, and its responses may last for hours.
 * docs/asyncapi.json describes them.
 */
export function hubRoutes(app: HttpApp, { basePath, endpoints, isNode }: HubPaths): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const url of [`/${hubName}`, `/${hubName}/*`, classicMount, `${classicMount}/*`]) {
    app.route({
      method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      url,
      exposeHeadRoute: false,
      config: { permission: 'protocol' },
      schema: { hide: true },
      handler: async ({ raw, log }, reply) => {
        if (wasForwarded(raw) && !isNode(raw)) return reply.code(403).send();
        const hubPath = parseHubPath(basePath, raw.url);
        const endpoint = hubPath && endpoints()?.[hubPath.family];
        if (!hubPath || !endpoint) return reply.code(503).header('retry-after', '1').send();
        reply.hijack();
        try {
          await endpoint.handle(raw, reply.raw, hubPath.path);
        } catch (error) {
          log.error({ err: error }, 'hub request failed');
          reply.raw.destroy();
        }
        return reply;
      },
    });
  }
}

/** Upgrades to WebSocket bypass Fastify, so a refusal is written to the socket before the upgrade. */
export function acceptHubUpgrades({ server, log }: HttpApp, { basePath, endpoints, isNode }: HubPaths): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (wasForwarded(request) && !isNode(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const hubPath = parseHubPath(basePath, request.url);
    const endpoint = hubPath && endpoints()?.[hubPath.family];
    if (!hubPath || !endpoint) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n');
      return;
    }
    endpoint.upgrade(request, socket, head, hubPath.path).catch((error: unknown) => {
      log.error({ err: error }, 'hub upgrade failed');
      socket.destroy();
    });
  });
}
