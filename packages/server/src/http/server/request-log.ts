import type { HttpApp } from '../http-app.ts';

const slowMs = 1_000;

/** Logs one line per request: at debug, or at warn if it was slow. */
export function logRequests(app: HttpApp): void {
  const logsAll = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const ms = Math.round(reply.elapsedTime);
    const { config } = request.routeOptions;
    const isSlow = ms > slowMs && config.permission !== 'protocol';
    if (!logsAll && !isSlow) return;
    const line = {
      requestId: request.id,
      method: request.method,
      // Without the query, which may contain the token of a hub client.
      path: config.secretPath === true ? request.routeOptions.url : request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms,
      tenant: request.principal?.tenantId,
      subject: request.principal?.subject,
      traceId: request.traceId,
    };
    if (isSlow) request.log.warn(line, 'slow request');
    else request.log.debug(line, 'request');
  });
}
