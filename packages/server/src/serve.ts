import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type AlarmWriter, createAlarmWriter } from './alarms/alarm-writer.ts';
import { buildApp } from './app.ts';
import { fileSink, type HeadSink, logSink, syslogSink } from './audit/head-sinks.ts';
import { createHeadPublisher } from './audit/publish-heads.ts';
import { type CallBell, createCallBell } from './calls/call-bell.ts';
import type { ChannelMeans } from './channels/channel.routes.ts';
import { createEgress } from './channels/egress.ts';
import { openCommandList, openCommands, type RunningCommands } from './commands/open-commands.ts';
import { type Config, publicBase } from './config.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import { openDispatch } from './dispatch/open-dispatch.ts';
import { type RunningDispatch, runDispatch } from './dispatch/run-dispatch.ts';
import { startAdminServer } from './http/admin-server.ts';
import type { Authenticate } from './http/authorization.ts';
import { createDrain, type Drain, watchSilentConnections } from './http/drain.ts';
import type { HttpApp } from './http/http-app.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { openServerTls, type ServerTls, watchCertificate } from './http/server-tls.ts';
import type { NatsAccess } from './hub/nats.channel.ts';
import { nodeAddressOf } from './hub/node-address.ts';
import { type AlarmHubServer, openHub } from './hub/open-hub.ts';
import { createAuthenticate } from './identity/authenticate.ts';
import { natsServersOf } from './nats-settings.ts';
import { CannotStart, migrateDatabase, openRuntime } from './open-runtime.ts';
import { openSecretBox } from './open-secret-box.ts';
import { ensureFirstAdmin } from './people/first-admin.ts';
import { openDatabase } from './postgres/database.ts';
import type { Runtime } from './runtime.ts';
import type { SecretBox } from './secret-box.ts';
import { type Job, startUpkeep } from './upkeep.ts';
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

/** Within two turns of it, whoever has lost the right to listen hears nothing more. */
const watchRightsMs = 2_000;

/** A new certificate is in use after two turns. */
const readCertificatesMs = 2_000;

/**
 * Connections that may knock before they are let in. When another server dies, all its hub clients come here at once; one
 * that finds no place is not told so, and knocks again after 1, 3, 7 and 15 seconds.
 */
const backlog = 4_096;

/** The whole server in this process, from its settings to the open port. */
export async function serve(config: Config, log: Logger): Promise<RunningServer> {
  const commandList = openCommandList(config.commandsFile, log);
  if ('faults' in commandList) throw new CannotStart(commandList.faults);
  const tls = tlsFor(config, log);
  const scheme = tls ? 'https' : 'http';
  if (config.autoMigrate) await migrateDatabase(config, log);
  const runtime = await openSecretBox(config, await openRuntime(config, log));
  const setUpCode = await welcome(config, runtime);

  const drain = createDrain();
  const metrics = createMetrics(runtime.database);
  if (tls) watchCertificate(metrics.registry, tls);
  const { oidcIssuers: issuers } = config;
  const authenticate = createAuthenticate({ runtime, issuers, now: () => new Date() });
  const hub = await hubFor(config, runtime, { authenticate, metrics, tls });
  const writer = createAlarmWriter(runtime, { onCommitted: hub.onCommitted, onSounds: hub.onTold });
  const bell = createCallBell();
  const onTold = (tenantId: number) => {
    hub.onTold(tenantId);
    bell.ring(tenantId);
  };
  const calling = await callingFor(config, runtime, { writer, onTold });
  const app = appFor(config, runtime, { authenticate, drain, metrics, writer, hub, calling, bell, tls });
  const endSilentConnections = watchSilentConnections(app);
  const { host, port } = config;
  await app.listen({ host, port, backlog, listenTextResolver: () => 'port opened' });
  const { adminHost, adminPort } = config;
  const admin =
    adminPort === 0 ? undefined : await startAdminServer(metrics, { host: adminHost, port: adminPort });
  hub.begin(config.nodeAddress ?? nodeAddressOf(app.server, scheme));
  const watch = { name: 'watch rights of hub clients', everyMs: watchRightsMs, run: hub.watchRights };
  const commands = commandsFor(config, runtime, commandList.list);
  const jobs = [
    ...upkeepJobs(runtime, writer, config),
    watch,
    auditHeadsJob(config, runtime),
    ...(calling.running?.jobs ?? []),
    ...(commands?.jobs ?? []),
    ...(tls ? [{ name: 'read certificates again', everyMs: readCertificatesMs, run: tls.refresh }] : []),
  ];
  const upkeep = startUpkeep(jobs, log);
  const url = `${originOf(app.server, scheme)}${config.basePath}`;
  log.info({ url, version }, 'server started');

  const stop = async () => {
    log.info('server stopping');
    drain.begin();
    await Promise.all([sleep(config.drainMs), hub.drain(config.drainMs)]);
    await hub.close();
    const silence = setTimeout(endSilentConnections, lastWordMs);
    await app.close();
    clearTimeout(silence);
    await upkeep.stop();
    await commands?.stop();
    await calling.stop();
    admin?.close();
    admin?.closeAllConnections();
    await runtime.database.close();
    log.info('server stopped');
  };
  return { url, setUpCode, stop };
}

const publishHeadsMs = 60_000;
const syslogPort = 6_514;

function auditHeadsJob(config: Config, runtime: Runtime): Job {
  const { auditHeadsFile, auditSyslog, auditSyslogCa: ca } = config;
  const sinks: HeadSink[] = [logSink(runtime.log)];
  if (auditHeadsFile !== undefined) sinks.push(fileSink(auditHeadsFile));
  if (auditSyslog !== undefined) {
    const [host = '', port = String(syslogPort)] = auditSyslog.split(':');
    sinks.push(syslogSink({ host, port: Number(port), ca }));
  }
  const run = createHeadPublisher(runtime, { box: runtime.box, sinks });
  return { name: 'publish audit heads', everyMs: publishHeadsMs, run };
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
    bell: CallBell;
    tls: ServerTls | undefined;
  },
): HttpApp {
  const { basePath, trustProxy, rateLimitPerSecond, intakeLimitPerSecond, roles, allowedOrigins } = config;
  const rateLimits = { perSecond: rateLimitPerSecond, intakePerSecond: intakeLimitPerSecond };
  const channels = channelMeans(config, runtime.box);
  return buildApp(runtime, authenticate, {
    basePath,
    trustProxy,
    allowedOrigins,
    rateLimits,
    channels,
    sessionHours: config.sessionHours,
    disclosure: { ...config, now: () => new Date() },
    api: roles.includes('api'),
    // Without the role nobody listens here; what this server commits is told to the others all the same.
    hub: roles.includes('hub') ? hub : undefined,
    ...parts,
  });
}

type Calling = { dispatch: Dispatch; running: RunningDispatch | undefined; stop(): Promise<void> };

/** Connections of their own: neither a flood of alarms nor the reading of histories keeps people from being called. */
const dispatchConnections = 4;

async function callingFor(
  config: Config,
  runtime: Runtime,
  { writer, onTold }: { writer: AlarmWriter; onTold: (tenantId: number) => void },
): Promise<Calling> {
  const { databaseUrl, heartbeatUrl } = config;
  const { log, box } = runtime;
  const database = openDatabase({
    url: databaseUrl,
    connections: dispatchConnections,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const dispatch = await openDispatch(
    { database, log, box },
    {
      means: channelMeans(config, box),
      writer,
      publicUrl: publicBase(config),
      now: () => new Date(),
    },
  );
  const running = config.roles.includes('dispatch')
    ? runDispatch(dispatch, writer, { database: runtime.database, heartbeatUrl, onTold })
    : undefined;
  const stop = async () => {
    await running?.stop();
    await database.close();
  };
  return { dispatch, running, stop };
}

/** Whoever calls people also runs commands, on loops of their own. */
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

/** Undefined where the server speaks HTTP in clear. */
function tlsFor(config: Config, log: Logger): ServerTls | undefined {
  const { tlsCertFile: cert, tlsKeyFile: key, tlsClientCaFile: clientCa, nodeCaFile: nodeCa } = config;
  if (cert === undefined || key === undefined) return undefined;
  try {
    return openServerTls({ cert, key, clientCa, nodeCa }, log);
  } catch (error) {
    throw new CannotStart([error instanceof Error ? error.message : String(error)], error);
  }
}

function natsAccessOf(config: Config): NatsAccess | undefined {
  const servers = natsServersOf(config);
  return servers.length === 0
    ? undefined
    : { servers, credentials: config.natsCredentials, ca: config.natsCa };
}

function channelMeans({ egressAllow }: Config, box: SecretBox): ChannelMeans {
  return { box, egressOf: createEgress(egressAllow) };
}

function originOf(server: Server, scheme: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}
