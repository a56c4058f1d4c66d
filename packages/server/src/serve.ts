import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type AlarmWriter, createAlarmWriter } from './alarms/alarm-writer.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { startAdminServer } from './http/admin-server.ts';
import { createDrain, type Drain, watchSilentConnections } from './http/drain.ts';
import type { HttpApp } from './http/http-app.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createAuthenticate } from './identity/authenticate.ts';
import { migrateDatabase, openRuntime } from './open-runtime.ts';
import { ensureFirstAdmin } from './people/first-admin.ts';
import type { Runtime } from './runtime.ts';
import { startUpkeep } from './upkeep.ts';
import { upkeepJobs } from './upkeep-jobs.ts';
import { version } from './version.ts';

export type RunningServer = {
  /** Where the interface is, base path included. */
  readonly url: string;
  /** The one-time code for the first administrator of an empty installation. */
  readonly setUpCode: string | undefined;
  /** Answers all that was asked, then ends: no request is lost. */
  stop(): Promise<void>;
};

/** For a connection that was accepted at the last moment to say what it wants. */
const lastWordMs = 500;

/** The whole server in this process, from its settings to the open port. */
export async function serve(config: Config, log: Logger): Promise<RunningServer> {
  if (config.autoMigrate) await migrateDatabase(config, log);
  const runtime = await openRuntime(config, log);
  const setUpCode = await welcome(config, runtime);

  const drain = createDrain();
  const metrics = createMetrics(runtime.database);
  const writer = createAlarmWriter(runtime);
  const app = appFor(config, runtime, { drain, metrics, writer });
  const endSilentConnections = watchSilentConnections(app);
  await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'port opened' });
  const { adminHost, adminPort } = config;
  const admin =
    adminPort === 0 ? undefined : await startAdminServer(metrics, { host: adminHost, port: adminPort });
  const upkeep = startUpkeep(upkeepJobs(runtime, writer, config), log);
  const url = `${originOf(app.server)}${config.basePath}`;
  log.info({ url, version }, 'server started');

  const stop = async () => {
    log.info('server stopping');
    drain.begin();
    await sleep(config.drainMs);
    const silence = setTimeout(endSilentConnections, lastWordMs);
    await app.close();
    clearTimeout(silence);
    await upkeep.stop();
    admin?.close();
    admin?.closeAllConnections();
    await runtime.database.close();
    log.info('server stopped');
  };
  return { url, setUpCode, stop };
}

async function welcome(config: Config, runtime: Runtime): Promise<string | undefined> {
  const { firstAdminUsername: username, firstAdminPassword: password } = config;
  const outcome = await ensureFirstAdmin(runtime, { username, password });
  if (outcome.kind === 'created') runtime.log.info('first administrator made');
  return outcome.kind === 'set-up-code' ? outcome.code : undefined;
}

function appFor(
  config: Config,
  runtime: Runtime,
  parts: { drain: Drain; metrics: Metrics; writer: AlarmWriter },
): HttpApp {
  const { basePath, trustProxy, rateLimitPerSecond, intakeLimitPerSecond, oidcIssuers } = config;
  const authenticate = createAuthenticate({ runtime, issuers: oidcIssuers, now: () => new Date() });
  const rateLimits = { perSecond: rateLimitPerSecond, intakePerSecond: intakeLimitPerSecond };
  return buildApp(runtime, authenticate, { basePath, trustProxy, rateLimits, ...parts });
}

function originOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
