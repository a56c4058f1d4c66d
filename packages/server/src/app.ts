import { randomBytes } from 'node:crypto';
import { alarmRoutes } from './alarms/alarm.routes.ts';
import { alarmActionRoutes } from './alarms/alarm-action.routes.ts';
import { type AlarmWriter, createAlarmWriter } from './alarms/alarm-writer.ts';
import { callGroupRoutes } from './call-groups/call-group.routes.ts';
import { groupingRoutes } from './call-groups/grouping.routes.ts';
import { callRoutes } from './calls/call.routes.ts';
import { type CallBell, createCallBell } from './calls/call-bell.ts';
import { type ChannelMeans, channelRoutes } from './channels/channel.routes.ts';
import { createEgress } from './channels/egress.ts';
import { commandRoutes } from './commands/command.routes.ts';
import { answerRoutes } from './dispatch/answer.routes.ts';
import type { Answering } from './dispatch/answer-call.ts';
import { createAttemptNames } from './dispatch/attempt-name.ts';
import { callProgressRoutes } from './dispatch/call-progress.routes.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import { fallbackRoutes } from './dispatch/fallback.routes.ts';
import { gapRoutes } from './dispatch/gap.routes.ts';
import { previewRoutes } from './dispatch/preview.routes.ts';
import { timelineRoutes } from './dispatch/timeline.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { auditRoutes } from './http/audit.routes.ts';
import { createRefusalAudit } from './http/audit-refusals.ts';
import { type Authenticate, requireTokens } from './http/authorization.ts';
import { createHttpApp } from './http/create-http-app.ts';
import { allowOrigins } from './http/cross-origin.ts';
import { closeConnectionsOf, createDrain, type Drain } from './http/drain.ts';
import { healthRoutes } from './http/health.routes.ts';
import type { HttpApp } from './http/http-app.ts';
import type { Metrics } from './http/metrics.ts';
import { describeRoutes, openApiRoute } from './http/openapi.ts';
import { createRateLimit, type RateLimits } from './http/rate-limit.ts';
import { referenceRoutes } from './http/reference.ts';
import { logRequests } from './http/request-log.ts';
import { keepRouteTable } from './http/route-table.ts';
import { type Disclosure, securityTxtRoute } from './http/security-txt.ts';
import type { ServerTls } from './http/server-tls.ts';
import { acceptHubUpgrades, type HubDoors, hubRoutes, isHubUpgrade } from './hub/hub.routes.ts';
import { apiKeyRoutes } from './identity/api-key.routes.ts';
import { authRoutes } from './identity/auth.routes.ts';
import { metaRoutes } from './people/meta.routes.ts';
import { setUpRoutes } from './people/set-up.routes.ts';
import { userRoutes } from './people/user.routes.ts';
import { dataServerRoutes } from './plant/data-server.routes.ts';
import { mediaFileRoutes } from './plant/media-file.routes.ts';
import { scenarioRoutes } from './plant/scenario.routes.ts';
import { stationRoutes } from './plant/station.routes.ts';
import { tagGroupRoutes } from './plant/tag-group.routes.ts';
import { createReadiness } from './postgres/readiness.ts';
import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

export type AppSettings = {
  /** Prefix of every path, such as `/alertws`; empty at the root. */
  basePath: string;
  trustProxy?: string[] | undefined;
  /** Absent, it speaks HTTP in clear. */
  tls?: ServerTls | undefined;
  /** Origins whose pages may use the interface; by default none. */
  allowedOrigins?: readonly string[];
  rateLimits?: RateLimits | undefined;
  drain?: Drain | undefined;
  metrics?: Metrics | undefined;
  /** The one that background work writes through too. */
  writer?: AlarmWriter | undefined;
  /** Whether it answers the interface; probes are answered in any case. */
  api?: boolean;
  /** Absent, channels reach public addresses only and keep no secrets. */
  channels?: ChannelMeans | undefined;
  /** Absent, nobody is called from this process, and none of its calls is answered here. */
  calling?: { dispatch: Dispatch; running: { fault(): string | undefined } | undefined } | undefined;
  /** How long after its log-in a session ends, however often it is refreshed; 30 days by default. */
  sessionHours?: number;
  /** Rung when this process has done something about calls; absent, those who wait for an outcome only look now and then. */
  bell?: CallBell | undefined;
  /** Absent, there is no hub. */
  hub?: { doors(): HubDoors } | undefined;
  /** Absent, nobody is told where to report a weakness. */
  disclosure?: Disclosure | undefined;
  /** Whether to serve the interface as a page at `/docs`. */
  reference?: boolean;
};

/** Of a server that nobody is called from: no answer can be meant for it. */
const nobodyCalled = () => ({ names: createAttemptNames('none'), answerKeys: [randomBytes(32)] as const });
const publicOnly: ChannelMeans = { box: undefined, egressOf: createEgress([]) };
const defaultRateLimits = { perSecond: 1_000, intakePerSecond: 20_000 };

/** The composition root: the only file that knows all parts. */
export function buildApp(runtime: Runtime, authenticate: Authenticate, settings: AppSettings): HttpApp {
  const { basePath, trustProxy, metrics, reference = true, allowedOrigins = [] } = settings;
  const { rateLimits = defaultRateLimits, drain = createDrain() } = settings;
  const dispatching = settings.calling?.running;
  const health = { drain, readiness: createReadiness(runtime.database), dispatching };

  const root = createHttpApp({
    log: runtime.log,
    trustProxy,
    tls: settings.tls,
    onRefused: createRefusalAudit(runtime),
    mayUpgrade: (request) => settings.hub !== undefined && isHubUpgrade(basePath, request),
  });
  keepRouteTable(root);
  logRequests(root);
  metrics?.watch(root);
  closeConnectionsOf(root, drain);
  allowOrigins(root, allowedOrigins);
  requireTokens(root, authenticate, createRateLimit(rateLimits));
  const atRoot = (app: HttpApp) => {
    healthRoutes(app, health);
    securityTxtRoute(app, settings.disclosure);
  };
  // Probes do not know the prefix, and `.well-known` is looked for at the root. Registered before the description begins, so that it has each route once.
  if (basePath !== '') atRoot(root);
  describeRoutes(root, { basePath, version });
  const under = { prefix: basePath };
  void root.register(async (app) => atRoot(app as HttpApp), under);
  void root.register(async (app) => openApiRoute(app as HttpApp), under);
  if (reference) void root.register((app) => referenceRoutes(app as HttpApp), under);
  openInterface(root, runtime, settings);
  openHubPaths(root, settings);
  return root;
}

function openInterface(root: HttpApp, runtime: Runtime, settings: AppSettings): void {
  const { basePath, api = true, channels = publicOnly, sessionHours = 720 } = settings;
  if (!api) return;
  const bell = settings.bell ?? createCallBell();
  const writer = settings.writer ?? createAlarmWriter(runtime);
  const { names, answerKeys } = settings.calling?.dispatch ?? nobodyCalled();
  const parts = { writer, channels, sessionHours, bell, answering: { runtime, writer, names, answerKeys } };
  void root.register(async (app) => apiRoutes(app as HttpApp, runtime, parts), { prefix: basePath });
}

function openHubPaths(root: HttpApp, { basePath, hub, tls }: AppSettings): void {
  if (!hub) return;
  const paths = { basePath, doors: hub.doors, isNode: tls?.isNode ?? (() => true) };
  void root.register(async (app) => hubRoutes(app as HttpApp, paths), { prefix: basePath });
  acceptHubUpgrades(root, paths);
}

type ApiParts = {
  writer: AlarmWriter;
  channels: ChannelMeans;
  sessionHours: number;
  bell: CallBell;
  answering: Answering;
};

/** The URL map: every part that answers under `/api/v1`. */
function apiRoutes(
  app: HttpApp,
  runtime: Runtime,
  { writer, channels, sessionHours, bell, answering }: ApiParts,
): void {
  authRoutes(app, runtime, sessionHours);
  apiKeyRoutes(app, runtime);
  stationRoutes(app, runtime);
  dataServerRoutes(app, runtime);
  tagGroupRoutes(app, runtime);
  scenarioRoutes(app, runtime);
  mediaFileRoutes(app, runtime);
  userRoutes(app, runtime);
  setUpRoutes(app, runtime);
  metaRoutes(app, runtime);
  callGroupRoutes(app, runtime);
  groupingRoutes(app, runtime);
  alarmRoutes(app, runtime, writer);
  alarmActionRoutes(app, writer);
  historyRoutes(app, runtime);
  callRoutes(app, runtime, bell);
  channelRoutes(app, runtime, channels);
  commandRoutes(app, runtime);
  answerRoutes(app, { ...answering, box: channels.box });
  callProgressRoutes(app, runtime, writer);
  timelineRoutes(app, runtime);
  previewRoutes(app, runtime);
  fallbackRoutes(app, runtime);
  gapRoutes(app, runtime);
  auditRoutes(app, runtime, runtime.box);
}
