import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from './http-response.ts';

/** Returns the CORS headers of the response, or undefined when the origin is not allowed. */
export type CorsPolicy = (request: IncomingMessage) => Readonly<Record<string, string>> | undefined;

/**
 * Allows pages of the hub's own origin and of the listed origins. A request without an `Origin` header does not come
 * from a page. The policy also covers WebSocket upgrades, to which browsers do not apply CORS.
 */
export function createCorsPolicy(allowed: readonly string[]): CorsPolicy {
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

/** Compares host and port only: behind a proxy the scheme is not reliably known. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const ports = { 'http:': '80', 'https:': '443' } as Record<string, string>;
  const withPort = `${url.hostname}:${url.port || ports[url.protocol]}`;
  return url.host === host.toLowerCase() || withPort === host.toLowerCase();
}

/** Answers the preflight request that browsers send before a request with a token. */
export function preflightResponse(request: IncomingMessage): HttpResponse {
  const requested = request.headers['access-control-request-headers'];
  const names = (requested ?? '').split(',').map((name) => name.trim().toLowerCase());
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
