import type { HttpApp } from '../http-app.ts';

/** Headers that scripts of other origins may read. */
const exposed = 'ETag, Call-Id, Call-Refusal, Preference-Applied, Retry-After, RateLimit, RateLimit-Policy';
const methods = 'GET, POST, PUT, DELETE';
const preflightSeconds = '600';

/**
 * Lets pages of the listed origins use the interface, and answers the preflight requests of their browsers. Tokens are
 * sent in a header, so no page needs cookies.
 */
export function allowOrigins(app: HttpApp, allowed: readonly string[]): void {
  const listed = new Set(allowed.map((origin) => origin.toLowerCase()));
  if (listed.size === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    // The hub checks origins itself, by the same list.
    if (request.routeOptions.config.permission === 'protocol') return done();
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin === undefined || !listed.has(origin.toLowerCase())) return done();
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', exposed);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      return done();
    }
    const asked = request.headers['access-control-request-headers'];
    reply.header('access-control-allow-methods', methods);
    reply.header('access-control-allow-headers', asked ?? '');
    reply.header('access-control-max-age', preflightSeconds);
    void reply.code(204).send();
  });
}
