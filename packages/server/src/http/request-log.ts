import type { HttpApp } from './http-app.ts';

const slowMs = 1_000;

/** One line per request: at debug, or at warn when somebody had to wait. */
export function logRequests(app: HttpApp): void {
  const everyOne = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const ms = Math.round(reply.elapsedTime);
    const { config } = request.routeOptions;
    const isSlow = ms > slowMs && config.permission !== 'protocol';
    if (!everyOne && !isSlow) return;
    const line = {
      requestId: request.id,
      method: request.method,
      // Never the query: a hub client may have put its token there.
      path: config.secretPath === true ? request.routeOptions.url : request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms,
      tenant: request.principal?.tenantId,
      subject: request.principal?.subject,
    };
    if (isSlow) request.log.warn(line, 'slow request');
    else request.log.debug(line, 'request');
  });
}
