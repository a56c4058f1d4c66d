import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

/** Headers to add to the answer, or undefined when the page that asks may not. */
export type Origins = (request: IncomingMessage) => Readonly<Record<string, string>> | undefined;

/**
 * Pages may ask from where the hub itself is, and from the origins listed. A request without an origin is not a
 * page's. The same rule holds for upgrades, which browsers do not guard.
 */
export function createOrigins(allowed: readonly string[]): Origins {
  const listed = new Set(allowed.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  return (request) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return {};
    if (!listed.has(origin.toLowerCase()) && !isSameOrigin(origin, host)) return undefined;
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    };
  };
}

/** By host and port: behind a proxy nothing reliable tells the scheme. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const ports = { 'http:': '80', 'https:': '443' } as Record<string, string>;
  const withPort = `${url.hostname}:${url.port || ports[url.protocol]}`;
  return url.host === host.toLowerCase() || withPort === host.toLowerCase();
}

/** What a browser asks before a request that carries a token. */
export function preflightAnswer(request: IncomingMessage): Answer {
  const asked = request.headers['access-control-request-headers'];
  const names = (asked ?? '').split(',').map((name) => name.trim().toLowerCase());
  const known = names.filter((name) => allowedHeaders.has(name));
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': known.join(', '),
      'access-control-max-age': '600',
    },
  };
}

const allowedHeaders = new Set(['authorization', 'content-type', 'x-requested-with', 'x-signalr-user-agent']);
