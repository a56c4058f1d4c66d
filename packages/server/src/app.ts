import { alarmRoutes } from './alarms/alarm.routes.ts';
import { alarmActionRoutes } from './alarms/alarm-action.routes.ts';
import { type AlarmWriter, createAlarmWriter } from './alarms/alarm-writer.ts';
import { callGroupRoutes } from './call-groups/call-group.routes.ts';
import { groupingRoutes } from './call-groups/grouping.routes.ts';
import { callRoutes } from './calls/call.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { type Authenticate, requireTokens } from './http/authorization.ts';
import { createHttpApp } from './http/create-http-app.ts';
import { closeConnectionsOf, createDrain, type Drain } from './http/drain.ts';
import { healthRoutes } from './http/health.routes.ts';
import type { HttpApp } from './http/http-app.ts';
import type { Metrics } from './http/metrics.ts';
import { describeRoutes, openApiRoute } from './http/openapi.ts';
import { createRateLimit, type RateLimits } from './http/rate-limit.ts';
import { referenceRoutes } from './http/reference.ts';
import { logRequests } from './http/request-log.ts';
import { keepRouteTable } from './http/route-table.ts';
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
  rateLimits?: RateLimits | undefined;
  drain?: Drain | undefined;
  metrics?: Metrics | undefined;
  /** The one that background work writes through too. */
  writer?: AlarmWriter | undefined;
  /** Whether to serve the interface as a page at `/docs`. */
  reference?: boolean;
};

const defaultRateLimits = { perSecond: 1_000, intakePerSecond: 20_000 };

/** The composition root: the only file that knows all parts. */
export function buildApp(runtime: Runtime, authenticate: Authenticate, settings: AppSettings): HttpApp {
  const writer = settings.writer ?? createAlarmWriter(runtime);
  const { basePath, trustProxy, metrics, reference = true } = settings;
  const { rateLimits = defaultRateLimits, drain = createDrain() } = settings;
  const health = { drain, readiness: createReadiness(runtime.database) };

  const root = createHttpApp({ log: runtime.log, trustProxy });
  keepRouteTable(root);
  logRequests(root);
  metrics?.watch(root);
  closeConnectionsOf(root, drain);
  requireTokens(root, authenticate, createRateLimit(rateLimits));
  // Probes do not know the prefix. Registered before the description begins, so that it has each route once.
  if (basePath !== '') healthRoutes(root, health);
  describeRoutes(root, { basePath, version });
  const under = { prefix: basePath };
  void root.register(async (app) => healthRoutes(app as HttpApp, health), under);
  void root.register(async (app) => openApiRoute(app as HttpApp), under);
  if (reference) void root.register((app) => referenceRoutes(app as HttpApp), under);
  void root.register(async (app) => apiRoutes(app as HttpApp, runtime, writer), under);
  return root;
}

/** The URL map: every part that answers under `/api/v1`. */
function apiRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  authRoutes(app, runtime);
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
  callRoutes(app, runtime);
}
