import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import type { OnRefused } from '../audit-refusals.ts';
import { bodyLimit, type HttpApp, type TypeBoxProvider } from '../http-app.ts';
import { acceptJson } from './json-body.ts';
import { answerBadUrl, answerProblems, answerUnparsable } from './problem-handler.ts';
import { compileSerializer } from './serialization.ts';
import type { ServerTls } from './server-tls.ts';
import { compileValidator } from './validation.ts';

/** Creates the HTTP server with validation, problems and security headers, but without routes. */
export function createHttpApp({
  log,
  trustProxy,
  tls,
  mayUpgrade = () => false,
  onRefused,
}: {
  log: Logger;
  trustProxy?: string[] | undefined;
  /** By default plain HTTP. */
  tls?: ServerTls | undefined;
  /** Whether an upgrade request is accepted; other requests are answered over HTTP. */
  mayUpgrade?: (request: IncomingMessage) => boolean;
  onRefused?: OnRefused | undefined;
}): HttpApp {
  const loggerInstance: FastifyBaseLogger = log;
  // A search text of 10 kB still fits if each letter takes three percent-encoded bytes.
  const http = { maxHeaderSize: 131_072, shouldUpgradeCallback: mayUpgrade };
  const options: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request themselves: a child logger per request would cost more than reading its body.
    childLoggerFactory: (logger) => logger,
    genReqId: createRequestIds(),
    bodyLimit,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    http,
    trustProxy: trustProxy ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnparsable,
    frameworkErrors: answerBadUrl,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 512 },
  };
  // The types of a server with TLS differ, but its use here is the same.
  const secure = tls && ({ ...options, https: { ...http, ...tls.serverOptions() } } as typeof options);
  const app = Fastify(secure ?? options).withTypeProvider<TypeBoxProvider>();
  tls?.attach(app.server as unknown as Server);

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('traceId', undefined);
  acceptJson(app);
  answerProblems(app, onRefused);
  setSecurityHeaders(app);
  return app;
}

/** Request ids for the audit trail and the log: unique among all processes, and cheap. */
function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let last = 0;
  return () => {
    last += 1;
    return `${process}-${last}`;
  };
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
