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
import type { OnRefused } from './audit-refusals.ts';
import { bodyLimit, type HttpApp, type TypeBoxProvider } from './http-app.ts';
import { acceptJson } from './json-body.ts';
import { answerBadUrl, answerProblems, answerUnparsable } from './problem-handler.ts';
import type { ServerTls } from './server-tls.ts';
import { compileValidator } from './validation.ts';

/** An HTTP server with the house rules in place and no routes yet. */
export function createHttpApp({
  log,
  trustProxy,
  tls,
  mayUpgrade = () => false,
  onRefused,
}: {
  log: Logger;
  trustProxy?: string[] | undefined;
  /** Absent, it speaks HTTP in clear. */
  tls?: ServerTls | undefined;
  /** Whether a request that asks for another protocol gets it; all others are answered as they are. */
  mayUpgrade?: (request: IncomingMessage) => boolean;
  onRefused?: OnRefused | undefined;
}): HttpApp {
  const loggerInstance: FastifyBaseLogger = log;
  // A search of 10 kB in a script that needs three bytes a letter, each percent-encoded, still fits.
  const http = { maxHeaderSize: 131_072, shouldUpgradeCallback: mayUpgrade };
  const options: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names what it needs; a logger for each request would cost more than reading its body.
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
  // To the types a server with TLS is another one; for all that is done with it here it is the same.
  const secure = tls && ({ ...options, https: { ...http, ...tls.serverOptions() } } as typeof options);
  const app = Fastify(secure ?? options).withTypeProvider<TypeBoxProvider>();
  tls?.attach(app.server as unknown as Server);

  app.setValidatorCompiler(compileValidator);
  app.decorateRequest('principal', undefined);
  acceptJson(app);
  answerProblems(app, onRefused);
  setSecurityHeaders(app);
  return app;
}

/** Unique among all processes, and cheap: the trail and the log name requests by them. */
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
