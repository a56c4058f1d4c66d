import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type AlarmWriter, createAlarmWriter } from './alarms/write/alarm-writer.ts';
import { buildApp } from './app.ts';
import { databaseSink, fileSink, type HeadSink, logSink, syslogSink } from './audit/head-sinks.ts';
import { createHeadPublisher } from './audit/publish-heads.ts';
import { createOutcomeSignal, type OutcomeSignal } from './calls/outcome-signal.ts';
import type { ChannelDependencies } from './channels/channel.routes.ts';
import { openCommandList, openCommands, type RunningCommands } from './commands/open-commands.ts';
import { version } from './common/version.ts';
import type { Dispatch } from './dispatch/engine/dispatch.ts';
import { type DispatchSettings, openDispatch } from './dispatch/open-dispatch.ts';
import { type RunningDispatch, runDispatch } from './dispatch/run-dispatch.ts';
import { createConfigurationCache } from './escalations/configuration-cache.ts';
import type { Authenticate } from './http/authorization.ts';
import { builtConsole, builtHelp, readConsole, readFolder } from './http/console/console-files.ts';
import type { HttpApp } from './http/http-app.ts';
import { startAdminServer } from './http/server/admin-server.ts';
import { createDrain, type Drain, watchSilentConnections } from './http/server/drain.ts';
import { createMetrics, type Metrics } from './http/server/metrics.ts';
import { openServerTls, type ServerTls, watchCertificate } from './http/server/server-tls.ts';
import { nodeAddressOf } from './hub/nodes/node-address.ts';
import { type AlarmHubServer, openHub } from './hub/open-hub.ts';
import { createAuthenticate } from './identity/authenticate.ts';
import { countCommitted } from './journal/count-committed.ts';
import { ensureFirstAdmin } from './people/first-admin.ts';
import { openDatabase, reservedConnections } from './postgres/database.ts';
import type { Runtime } from './postgres/runtime.ts';
import { createPrimaryWatch } from './postgres/watch-primary.ts';
import { type Config, publicBase } from './settings/config.ts';
import { natsAccessOf } from './settings/nats-settings.ts';
import { CannotStart } from './setup/cannot-start.ts';
import { channelDependencies } from './setup/channel-dependencies.ts';
import { migrateDatabase, openRuntime } from './setup/open-runtime.ts';
import { openSecretBox } from './setup/open-secret-box.ts';
import { openTelephony } from './setup/open-telephony.ts';
import { openTraces } from './setup/open-traces.ts';
import { type Job, startUpkeep } from './upkeep/upkeep.ts';
import { upkeepJobs } from './upkeep/upkeep-jobs.ts';
import { countFailedJobs } from './upkeep/upkeep-metrics.ts';

export type RunningServer = {
  /** URL of the HTTP interface, with the base path. */
  readonly url: string;
  /** The one-time code for the first administrator of an empty installation. */
  readonly setUpCode: string | undefined;
  /** Answers all pending requests before it ends. */
  stop(): Promise<void>;
};

/** Time for a connection that was accepted at the last moment to send its request. */
const lastRequestMs = 500;

/** A hub client that has lost its rights receives nothing after two passes. */
const checkAccessMs = 2_000;

/** A change of the primary is logged after this time at the latest. */
const watchPrimaryMs = 2_000;

/** A new certificate is in use after two passes. */
const readCertificatesMs = 2_000;

/**
 * Connections that may wait to be accepted. If another server fails, all its hub clients reconnect here at once; a
 * client that finds the backlog full gets no answer, and retries after 1, 3, 7 and 15 seconds.
 */
const backlog = 4_096;

/** Starts the whole server in this process, from its settings to the open port. */
export async function serve(config: Config, log: Logger): Promise<RunningServer> {
  const commandList = openCommandList(config.commandsFile, log);
  if ('faults' in commandList) throw new CannotStart(commandList.faults);
  const tls = tlsFor(config, log);
  if (config.autoMigrate) await migrateDatabase(config, log);
  const withoutTraces = await openSecretBox(config, await openRuntime(config, log));
  const runtime = { ...withoutTraces, tracing: await openTraces(config, { log, now: () => new Date() }) };
  const setUpCode = await ensureAdmin(config, runtime);

  const parts = await openParts(config, runtime, tls);
  const { app, hub, metrics, writer, calling } = parts;
  const endSilentConnections = watchSilentConnections(app);
  const { host, port } = config;
  await app.listen({ host, port, backlog, listenTextResolver: () => 'port opened' });
  const admin = await adminServerFor(config, metrics);
  const scheme = tls ? 'https' : 'http';
  hub.start(config.nodeAddress ?? nodeAddressOf(app.server, scheme));
  const commands = commandsFor(config, runtime, commandList.list);
  const jobs = [
    ...upkeepJobs(runtime, writer, config),
    { name: 'check access of hub clients', everyMs: checkAccessMs, run: hub.checkAccess },
    { name: 'watch the primary', everyMs: watchPrimaryMs, run: createPrimaryWatch(runtime) },
    auditHeadsJob(config, runtime),
    ...(calling.running?.jobs ?? []),
    ...(commands?.jobs ?? []),
    ...(tls ? [{ name: 'read certificates again', everyMs: readCertificatesMs, run: tls.refresh }] : []),
  ];
  const upkeep = startUpkeep(jobs, log, countFailedJobs(metrics.registry, jobs));
  const url = `${originOf(app.server, scheme)}${config.basePath}`;
  log.info({ url, version }, 'server started');
  const stop = () => stopServer(config, runtime, { ...parts, admin, upkeep, commands, endSilentConnections });
  return { url, setUpCode, stop };
}

type Parts = {
  app: HttpApp;
  drain: Drain;
  metrics: Metrics;
  hub: AlarmHubServer;
  writer: AlarmWriter;
  calling: Calling;
  telephony: Awaited<ReturnType<typeof openTelephony>>;
};

async function openParts(config: Config, runtime: Runtime, tls: ServerTls | undefined): Promise<Parts> {
  const drain = createDrain();
  const metrics = createMetrics(runtime.database);
  if (tls) watchCertificate(metrics.registry, tls);
  const { oidcIssuers: issuers } = config;
  const authenticate = createAuthenticate({ runtime, issuers, now: () => new Date() });
  const hub = await hubFor(config, runtime, { authenticate, metrics, tls });
  const onCommitted = countCommitted(metrics.registry, hub.onCommitted);
  const configuration = createConfigurationCache(config.configurationCacheMb);
  const writer = createAlarmWriter(runtime, { onCommitted, onSounds: hub.onCallEvents, configuration });
  const outcomeSignal = createOutcomeSignal();
  const onCallEvent = (tenantId: number) => {
    hub.onCallEvents(tenantId);
    outcomeSignal.notify(tenantId);
  };
  const telephony = await openTelephony(config, runtime.log);
  const means = channelDependencies(config, runtime.box, telephony);
  const calling = await callingFor(config, runtime, {
    means,
    writer,
    configuration,
    registry: metrics.registry,
    onCallEvent,
  });
  const app = appFor(config, runtime, {
    authenticate,
    drain,
    metrics,
    writer,
    hub,
    calling,
    channels: means,
    outcomeSignal,
    tls,
  });
  return { app, drain, metrics, hub, writer, calling, telephony };
}

/** Closes the parts in the order in which they stop being needed. */
async function stopServer(
  { drainMs }: Config,
  { database, log, tracing }: Runtime,
  parts: Parts & {
    admin: Server | undefined;
    upkeep: { stop(): Promise<void> };
    commands: RunningCommands | undefined;
    endSilentConnections(): void;
  },
): Promise<void> {
  const { app, drain, hub, calling, telephony, admin, upkeep, commands, endSilentConnections } = parts;
  log.info('server stopping');
  drain.begin();
  await Promise.all([sleep(drainMs), hub.drain(drainMs)]);
  await hub.close();
  const silence = setTimeout(endSilentConnections, lastRequestMs);
  await app.close();
  clearTimeout(silence);
  await upkeep.stop();
  await commands?.stop();
  await calling.stop();
  await telephony.close();
  admin?.close();
  admin?.closeAllConnections();
  await database.close();
  await tracing?.close();
  log.info('server stopped');
}

function adminServerFor(
  { adminHost: host, adminPort: port }: Config,
  metrics: Metrics,
): Promise<Server> | undefined {
  return port === 0 ? undefined : startAdminServer(metrics, { host, port });
}

const publishHeadsMs = 60_000;
const syslogPort = 6_514;

function auditHeadsJob(config: Config, runtime: Runtime): Job {
  const { auditHeadsFile, auditSyslog, auditSyslogCa: ca } = config;
  const sinks: HeadSink[] = [logSink(runtime.log), databaseSink(runtime.database)];
  if (auditHeadsFile !== undefined) sinks.push(fileSink(auditHeadsFile));
  if (auditSyslog !== undefined) {
    const [host = '', port = String(syslogPort)] = auditSyslog.split(':');
    sinks.push(syslogSink({ host, port: Number(port), ca }));
  }
  const run = createHeadPublisher(runtime, { box: runtime.box, sinks });
  return { name: 'publish audit heads', everyMs: publishHeadsMs, run };
}

/** Returns the set-up code if the installation has no administrator. */
async function ensureAdmin(config: Config, runtime: Runtime): Promise<string | undefined> {
  const { firstAdminUsername: username, firstAdminPassword: password } = config;
  const outcome = await ensureFirstAdmin(runtime, { username, password });
  if (outcome.kind === 'created') runtime.log.info('first administrator created');
  return outcome.kind === 'set-up-code' ? outcome.code : undefined;
}

function appFor(
  config: Config,
  runtime: Runtime,
  {
    authenticate,
    hub,
    ...parts
  }: {
    authenticate: Authenticate;
    drain: Drain;
    metrics: Metrics;
    writer: AlarmWriter;
    hub: AlarmHubServer;
    calling: Calling;
    channels: ChannelDependencies;
    outcomeSignal: OutcomeSignal;
    tls: ServerTls | undefined;
  },
): HttpApp {
  const { basePath, trustProxy, rateLimitPerSecond, intakeLimitPerSecond, roles, allowedOrigins } = config;
  const rateLimits = { perSecond: rateLimitPerSecond, intakePerSecond: intakeLimitPerSecond };
  return buildApp(runtime, authenticate, {
    basePath,
    trustProxy,
    allowedOrigins,
    rateLimits,
    sessionHours: config.sessionHours,
    disclosure: { ...config, now: () => new Date() },
    console:
      config.console === 'on'
        ? { built: readConsole(builtConsole, basePath), help: readFolder(builtHelp) }
        : undefined,
    api: roles.includes('api'),
    // Without the role this server has no hub clients, but still publishes its commits to the other servers.
    hub: roles.includes('hub') ? hub : undefined,
    ...parts,
  });
}

type Calling = { dispatch: Dispatch; running: RunningDispatch | undefined; stop(): Promise<void> };

type CallingParts = Omit<DispatchSettings, 'publicUrl' | 'now'> & { onCallEvent: (tenantId: number) => void };

async function callingFor(
  config: Config,
  runtime: Runtime,
  { onCallEvent, ...parts }: CallingParts,
): Promise<Calling> {
  const { databaseUrl, heartbeatUrl } = config;
  const { log, box, tracing } = runtime;
  const database = openDatabase({
    url: databaseUrl,
    connections: reservedConnections.dispatch,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const dispatch = await openDispatch(
    { database, log, box, tracing },
    { ...parts, publicUrl: publicBase(config), now: () => new Date() },
  );
  const { writer, registry } = parts;
  const running = config.roles.includes('dispatch')
    ? runDispatch(dispatch, writer, { database: runtime.database, heartbeatUrl, registry, onCallEvent })
    : undefined;
  const stop = async () => {
    await running?.stop();
    await database.close();
  };
  return { dispatch, running, stop };
}

/** A server with the dispatch role also runs commands, in loops of their own. */
function commandsFor(
  { roles }: Config,
  runtime: Runtime,
  list: Parameters<typeof openCommands>[1],
): RunningCommands | undefined {
  return roles.includes('dispatch') ? openCommands(runtime, list) : undefined;
}

function hubFor(
  config: Config,
  runtime: Runtime,
  {
    authenticate,
    metrics,
    tls,
  }: { authenticate: Authenticate; metrics: Metrics; tls: ServerTls | undefined },
): Promise<AlarmHubServer> {
  return openHub(runtime, {
    authenticate,
    registry: metrics.registry,
    nats: natsAccessOf(config),
    nodeTls: tls?.nodeOptions,
    origins: config.allowedOrigins,
    connections: config.hubConnections,
    connectionsPerCaller: config.hubConnectionsPerCaller,
    requestsPerSecond: config.rateLimitPerSecond,
    clock: () => Date.now(),
  });
}

/** Undefined if the server uses HTTP without TLS. */
function tlsFor(config: Config, log: Logger): ServerTls | undefined {
  const { tlsCertFile: cert, tlsKeyFile: key, tlsClientCaFile: clientCa, nodeCaFile: nodeCa } = config;
  if (cert === undefined || key === undefined) return undefined;
  try {
    return openServerTls({ cert, key, clientCa, nodeCa }, log);
  } catch (error) {
    throw new CannotStart([error instanceof Error ? error.message : String(error)], error);
  }
}

function originOf(server: Server, scheme: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}
