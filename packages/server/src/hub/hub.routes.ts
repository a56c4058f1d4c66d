import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hubName } from '@tocsin/contract';
import { type FamilyEntrance, wasForwarded } from '@tocsin/signalr';
import type { HttpApp } from '../http/http-app.ts';

/** The two families of the protocol; undefined until the server knows its own address. */
export type HubDoors = { readonly core: FamilyEntrance; readonly classic: FamilyEntrance } | undefined;

type Place = { readonly family: 'core' | 'classic'; readonly path: string };

const classicMount = '/signalr';
const coreMounts = [`/${hubName}`, `${classicMount}/${hubName}`].map((mount) => mount.toLowerCase());

/** What the hub's paths need to know. */
export type HubPaths = {
  readonly basePath: string;
  readonly doors: () => HubDoors;
  /** Whether a request comes from another server of the installation: only those pass requests on. */
  readonly isNode: (request: IncomingMessage) => boolean;
};

/** Which family a path belongs to, and what follows its mount, in any case and with any slash at the end. */
function hubPlace(basePath: string, url: string | undefined): Place | undefined {
  const path = (url?.split('?', 1)[0] ?? '').toLowerCase().replace(/\/$/, '');
  if (!path.startsWith(basePath.toLowerCase())) return undefined;
  const place = path.slice(basePath.length);
  const below = (mount: string) => place === mount || place.startsWith(`${mount}/`);
  const core = coreMounts.find(below);
  if (core !== undefined) return { family: 'core', path: place.slice(core.length) };
  return below(classicMount) ? { family: 'classic', path: place.slice(classicMount.length) } : undefined;
}

/** Whether a request to change protocols is one for the hub; others are answered as if they had not asked. */
export function isHubUpgrade(basePath: string, { url, headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && hubPlace(basePath, url) !== undefined;
}

/**
 * Hands requests below the mounts to the hub as they came: it reads bodies as streams, and writes answers that may
 * last for hours. What it takes and gives is told by docs/asyncapi.json.
 */
export function hubRoutes(app: HttpApp, { basePath, doors, isNode }: HubPaths): void {
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
        const place = hubPlace(basePath, raw.url);
        const door = place && doors()?.[place.family];
        if (!place || !door) return reply.code(503).header('retry-after', '1').send();
        reply.hijack();
        try {
          await door.handle(raw, reply.raw, place.path);
        } catch (error) {
          log.error({ err: error }, 'hub request failed');
          reply.raw.destroy();
        }
        return reply;
      },
    });
  }
}

/** Connections that become WebSockets do not pass Fastify: whoever is refused hears so before the change. */
export function acceptHubUpgrades({ server, log }: HttpApp, { basePath, doors, isNode }: HubPaths): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (wasForwarded(request) && !isNode(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const place = hubPlace(basePath, request.url);
    const door = place && doors()?.[place.family];
    if (!place || !door) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n');
      return;
    }
    door.upgrade(request, socket, head, place.path).catch((error: unknown) => {
      log.error({ err: error }, 'hub upgrade failed');
      socket.destroy();
    });
  });
}
