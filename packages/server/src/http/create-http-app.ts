import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import { bodyLimit, type HttpApp, type TypeBoxProvider } from './http-app.ts';
import { acceptJson } from './json-body.ts';
import { answerBadUrl, answerProblems, answerUnparsable } from './problem-handler.ts';
import { compileValidator } from './validation.ts';

/** An HTTP server with the house rules in place and no routes yet. */
export function createHttpApp({
  log,
  trustProxy,
  mayUpgrade = () => false,
}: {
  log: Logger;
  trustProxy?: string[] | undefined;
  /** Whether a request that asks for another protocol gets it; all others are answered as they are. */
  mayUpgrade?: (request: IncomingMessage) => boolean;
}): HttpApp {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names what it needs; a logger for each request would cost more than reading its body.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // A search of 10 kB in a script that needs three bytes a letter, each percent-encoded, still fits.
    http: { maxHeaderSize: 131_072, shouldUpgradeCallback: mayUpgrade },
    trustProxy: trustProxy ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnparsable,
    frameworkErrors: answerBadUrl,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 512 },
  }).withTypeProvider<TypeBoxProvider>();

  app.setValidatorCompiler(compileValidator);
  app.decorateRequest('principal', undefined);
  acceptJson(app);
  answerProblems(app);
  setSecurityHeaders(app);
  return app;
}

function setSecurityHeaders(app: HttpApp): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    }
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    done();
  });
}
