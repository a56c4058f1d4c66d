import { alarmRoutes } from './alarms/alarm.routes.ts';
import { alarmActionRoutes } from './alarms/alarm-action.routes.ts';
import { type AlarmWriter, createAlarmWriter } from './alarms/write/alarm-writer.ts';
import { approvalRoutes } from './approvals/approval.routes.ts';
import { callGroupRoutes } from './call-groups/call-group.routes.ts';
import { groupingRoutes } from './call-groups/grouping.routes.ts';
import { leaveRoutes } from './call-groups/leave.routes.ts';
import { overrideRoutes } from './call-groups/override.routes.ts';
import { callRoutes } from './calls/call.routes.ts';
import { fallbackRoutes } from './calls/fallback.routes.ts';
import { createOutcomeSignal, type OutcomeSignal } from './calls/outcome-signal.ts';
import { type ChannelDependencies, channelRoutes } from './channels/channel.routes.ts';
import { createEgress } from './channels/network/egress.ts';
import { messageTemplateRoutes } from './channels/templates/message-template.routes.ts';
import { commandRoutes } from './commands/command.routes.ts';
import { version } from './common/version.ts';
import { areaRoutes } from './console/area.routes.ts';
import { consoleHealthRoutes } from './console/console-health.routes.ts';
import { consoleSettingsRoutes } from './console/console-settings.routes.ts';
import { consoleSoundsRoutes } from './console/console-sounds.routes.ts';
import { objectUseRoutes } from './console/object-use.routes.ts';
import { savedViewRoutes } from './console/saved-view.routes.ts';
import { silenceRoutes } from './console/silence.routes.ts';
import { addressCodeRoutes } from './contacts/address-code.routes.ts';
import { pushKeyRoutes } from './contacts/push-key.routes.ts';
import { answerRoutes } from './dispatch/answers/answer.routes.ts';
import type { CallbackServices } from './dispatch/answers/answer-callback.ts';
import { callbackServices } from './dispatch/answers/callback-services.ts';
import type { Dispatch } from './dispatch/engine/dispatch.ts';
import { gapRoutes } from './dispatch/monitoring/roster-gap.routes.ts';
import { callProgressRoutes } from './dispatch/views/call-progress.routes.ts';
import { previewRoutes } from './dispatch/views/preview.routes.ts';
import { spokenAlarmRoutes } from './dispatch/views/spoken-alarm.routes.ts';
import { timelineRoutes } from './dispatch/views/timeline.routes.ts';
import { calendarRoutes } from './duties/calendar.routes.ts';
import { dutyRoutes } from './duties/duty.routes.ts';
import { alarmGuidanceRoutes } from './guidance/alarm-guidance.routes.ts';
import { guidanceRoutes } from './guidance/guidance.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { kpiRoutes } from './history/kpis/kpi.routes.ts';
import { auditRoutes } from './http/audit.routes.ts';
import { createRefusalAudit } from './http/audit-refusals.ts';
import { type Authenticate, requireTokens } from './http/authorization.ts';
import { consoleRoutes } from './http/console/console.routes.ts';
import type { ConsoleFiles } from './http/console/console-files.ts';
import { type Help, helpRoutes } from './http/console/help.routes.ts';
import type { HttpApp } from './http/http-app.ts';
import { describeRoutes, openApiRoute } from './http/openapi/openapi.ts';
import { referenceRoutes } from './http/openapi/reference.ts';
import { createRateLimit, type RateLimits } from './http/rate-limit.ts';
import { createHttpApp } from './http/server/create-http-app.ts';
import { allowOrigins } from './http/server/cross-origin.ts';
import { closeConnectionsOf, createDrain, type Drain } from './http/server/drain.ts';
import { healthRoutes, readinessFault } from './http/server/health.routes.ts';
import type { Metrics } from './http/server/metrics.ts';
import { logRequests } from './http/server/request-log.ts';
import { keepRouteTable } from './http/server/route-table.ts';
import { type Disclosure, securityTxtRoute } from './http/server/security-txt.ts';
import type { ServerTls } from './http/server/server-tls.ts';
import { acceptHubUpgrades, type HubEndpoints, hubRoutes, isHubUpgrade } from './hub/hub.routes.ts';
import { apiKeyRoutes } from './identity/api-keys/api-key.routes.ts';
import { confirmationRoutes } from './identity/confirmations/confirmation.routes.ts';
import { passkeyOptionsRoute } from './identity/confirmations/passkey-options.routes.ts';
import { createConfirmationCheck } from './identity/confirmations/require-confirmation.ts';
import { securitySettingsRoutes } from './identity/security-settings/security-settings.routes.ts';
import { type AuthSettings, authRoutes } from './identity/sessions/auth.routes.ts';
import { reachabilityRoutes } from './notices/reachability.routes.ts';
import { countDirectoryFailures } from './outside/directory/count-directory-failures.ts';
import { directoryRoutes } from './outside/directory/directory.routes.ts';
import { createDirectoryConnections } from './outside/directory/directory-connections.ts';
import { createDirectoryPasswords } from './outside/directory/directory-passwords.ts';
import { issuerRoutes } from './outside/issuers/issuer.routes.ts';
import { createIssuerClients } from './outside/issuers/issuer-clients.ts';
import { signInRoutes } from './outside/issuers/sign-in.routes.ts';
import { badgeRoutes } from './people/desks/badge.routes.ts';
import { deskRoutes } from './people/desks/desk.routes.ts';
import { keepPeopleAtDesk } from './people/desks/keep-people-at-desk.ts';
import { metaRoutes } from './people/meta.routes.ts';
import { passwordResetRoutes } from './people/password-resets/password-reset.routes.ts';
import { passkeyRoutes } from './people/second-factors/passkey.routes.ts';
import { recoveryCodesRoute } from './people/second-factors/recovery-codes.routes.ts';
import { secondFactorsRoutes } from './people/second-factors/second-factors.routes.ts';
import { totpRoutes } from './people/second-factors/totp.routes.ts';
import { mediaRulesRoutes } from './people/self-service/media-rules.routes.ts';
import { ownPasswordRoutes } from './people/self-service/own-password.routes.ts';
import { userMediaRoutes } from './people/self-service/user-media.routes.ts';
import { userPinRoutes } from './people/self-service/user-pin.routes.ts';
import { userSessionRoutes } from './people/self-service/user-session.routes.ts';
import { setUpRoutes } from './people/set-up.routes.ts';
import { userRoutes } from './people/user.routes.ts';
import { dataServerRoutes } from './plant/data-server.routes.ts';
import { mediaFileRoutes } from './plant/media-file.routes.ts';
import { scenarioRoutes } from './plant/scenario.routes.ts';
import { stationRoutes } from './plant/station.routes.ts';
import { tagGroupRoutes } from './plant/tag-group.routes.ts';
import { createReadiness } from './postgres/readiness.ts';
import type { Runtime } from './postgres/runtime.ts';
import { shiftNoteRoutes } from './shifts/shift-note.routes.ts';
import { shiftSummaryRoutes } from './shifts/shift-summary.routes.ts';
import { alarmPlaceRoutes } from './site-plans/alarm-place.routes.ts';
import { sitePlanRoutes } from './site-plans/site-plan.routes.ts';
import { tagRoutes } from './tags/tag.routes.ts';

export type AppSettings = {
  /** Prefix of every path, such as `/alertws`; empty at the root. */
  basePath: string;
  trustProxy?: string[] | undefined;
  /** By default plain HTTP. */
  tls?: ServerTls | undefined;
  /** Origins whose pages may use the interface; by default none. */
  allowedOrigins?: readonly string[];
  rateLimits?: RateLimits | undefined;
  drain?: Drain | undefined;
  metrics?: Metrics | undefined;
  /** The writer that background jobs share. */
  writer?: AlarmWriter | undefined;
  /** Whether to serve the interface; probes are answered in any case. */
  api?: boolean;
  /** By default channels reach public addresses only and store no secrets. */
  channels?: ChannelDependencies | undefined;
  /** Undefined if this process makes no calls; it then accepts no answers either. */
  calling?: { dispatch: Dispatch; running: { fault(): string | undefined } | undefined } | undefined;
  /** Hours after which a session ends, however often it is refreshed; 30 days by default. */
  sessionHours?: number;
  /** Signals changes of calls in this process; without it, waiting requests poll. */
  outcomeSignal?: OutcomeSignal | undefined;
  /** By default there is no hub. */
  hub?: { endpoints(): HubEndpoints } | undefined;
  /** The contact for security reports; by default none. */
  disclosure?: Disclosure | undefined;
  /** Whether to serve the interface as a page at `/docs`. */
  reference?: boolean;
  /** The operator console and the documentation, undefined in it if they are not built; by default none is served. */
  console?: { built: ConsoleFiles | undefined; help?: Help['files'] } | undefined;
};

const publicOnly: ChannelDependencies = { box: undefined, egressOf: createEgress([]) };
const defaultRateLimits = { perSecond: 1_000, intakePerSecond: 20_000 };

/** The composition root: puts all routes together. */
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
  metrics?.watchReadiness(() => readinessFault(health));
  closeConnectionsOf(root, drain);
  allowOrigins(root, allowedOrigins);
  requireTokens(root, authenticate, {
    charge: createRateLimit(rateLimits),
    requireConfirmation: createConfirmationCheck(runtime),
  });
  keepPeopleAtDesk(root, runtime);
  const atRoot = (app: HttpApp) => {
    healthRoutes(app, health);
    securityTxtRoute(app, settings.disclosure);
  };
  // Probes and `.well-known` have no prefix. Registered before `describeRoutes`, so that the document has each route once.
  if (basePath !== '') atRoot(root);
  describeRoutes(root, { basePath, version });
  const under = { prefix: basePath };
  void root.register(async (app) => atRoot(app as HttpApp), under);
  void root.register(async (app) => openApiRoute(app as HttpApp), under);
  if (reference) void root.register((app) => referenceRoutes(app as HttpApp), under);
  openConsole(root, settings);
  openInterface(root, runtime, settings);
  openHubPaths(root, settings);
  return root;
}

function openConsole(root: HttpApp, { basePath, console, api = true }: AppSettings): void {
  if (!console || !api) return;
  const under = { prefix: basePath };
  void root.register(async (app) => consoleRoutes(app as HttpApp, console.built), under);
  void root.register(async (app) => helpRoutes(app as HttpApp, { basePath, files: console.help }), under);
}

function openInterface(root: HttpApp, runtime: Runtime, settings: AppSettings): void {
  const { basePath, api = true, channels = publicOnly, sessionHours = 720 } = settings;
  if (!api) return;
  const outcomeSignal = settings.outcomeSignal ?? createOutcomeSignal();
  const writer = settings.writer ?? createAlarmWriter(runtime);
  const parts = {
    writer,
    channels,
    sessionHours,
    metrics: settings.metrics,
    outcomeSignal,
    answering: callbackServices(runtime, writer, settings.calling?.dispatch),
  };
  void root.register(async (app) => apiRoutes(app as HttpApp, runtime, parts), { prefix: basePath });
}

function openHubPaths(root: HttpApp, { basePath, hub, tls }: AppSettings): void {
  if (!hub) return;
  const paths = { basePath, endpoints: hub.endpoints, isNode: tls?.isNode ?? (() => true) };
  void root.register(async (app) => hubRoutes(app as HttpApp, paths), { prefix: basePath });
  acceptHubUpgrades(root, paths);
}

type ApiParts = {
  writer: AlarmWriter;
  channels: ChannelDependencies;
  sessionHours: number;
  metrics: Metrics | undefined;
  outcomeSignal: OutcomeSignal;
  answering: CallbackServices;
};

/** Log-ins, second factors, and the rules for them. */
function ownLogInRoutes(app: HttpApp, runtime: Runtime, auth: AuthSettings): void {
  authRoutes(app, runtime, auth);
  passkeyOptionsRoute(app, runtime, auth);
  confirmationRoutes(app, runtime, auth);
  securitySettingsRoutes(app, runtime);
  secondFactorsRoutes(app, runtime);
  totpRoutes(app, runtime);
  recoveryCodesRoute(app, runtime);
  passkeyRoutes(app, runtime, auth.publicUrl);
}

/** The URL map: every part that answers under `/api/v1`. */
function apiRoutes(app: HttpApp, runtime: Runtime, parts: ApiParts): void {
  const { writer, channels, outcomeSignal, answering } = parts;
  logInRoutes(app, runtime, parts);
  apiKeyRoutes(app, runtime);
  stationRoutes(app, runtime);
  dataServerRoutes(app, runtime);
  tagGroupRoutes(app, runtime);
  scenarioRoutes(app, runtime);
  mediaFileRoutes(app, runtime);
  peopleRoutes(app, runtime);
  reachabilityRoutes(app, runtime);
  setUpRoutes(app, runtime);
  metaRoutes(app, runtime);
  callGroupRoutes(app, runtime);
  overrideRoutes(app, runtime);
  leaveRoutes(app, runtime);
  dutyRoutes(app, runtime);
  calendarRoutes(app, runtime);
  groupingRoutes(app, runtime);
  alarmRoutes(app, runtime, writer);
  alarmActionRoutes(app, runtime, writer);
  guidanceRoutes(app, runtime);
  alarmGuidanceRoutes(app, runtime);
  tagRoutes(app, runtime, writer);
  sitePlanRoutes(app, runtime);
  alarmPlaceRoutes(app, runtime);
  historyRoutes(app, runtime);
  kpiRoutes(app, runtime);
  areaRoutes(app, runtime);
  objectUseRoutes(app, runtime);
  savedViewRoutes(app, runtime);
  consoleSettingsRoutes(app, runtime);
  consoleSoundsRoutes(app, runtime);
  silenceRoutes(app, runtime);
  consoleHealthRoutes(app, runtime);
  callRoutes(app, runtime, outcomeSignal);
  shiftNoteRoutes(app, runtime);
  shiftSummaryRoutes(app, runtime);
  channelRoutes(app, runtime, channels);
  messageTemplateRoutes(app, runtime);
  commandRoutes(app, runtime);
  approvalRoutes(app, runtime, writer);
  addressCodeRoutes(app, runtime, answering.answerKeys);
  pushKeyRoutes(app, runtime);
  answerRoutes(app, answering);
  callProgressRoutes(app, runtime, writer);
  timelineRoutes(app, runtime);
  previewRoutes(app, runtime);
  spokenAlarmRoutes(app, runtime);
  fallbackRoutes(app, runtime);
  gapRoutes(app, runtime);
  auditRoutes(app, runtime, runtime.box);
}

/** Log-ins with passwords of this server or of a directory, and sign-ins through issuers. */
function logInRoutes(
  app: HttpApp,
  runtime: Runtime,
  { channels, sessionHours, metrics, answering: { publicUrl } }: ApiParts,
): void {
  const { egressOf } = channels;
  const withDirectory = createDirectoryConnections(egressOf);
  const countAway = countDirectoryFailures(metrics?.registry);
  const passwordsElsewhere = createDirectoryPasswords(runtime, { withDirectory, countAway });
  const clients = createIssuerClients(egressOf, runtime.log);
  const auth = { sessionHours, publicUrl, passwordsElsewhere };
  ownLogInRoutes(app, runtime, auth);
  signInRoutes(app, runtime, { clients, publicUrl, sessionHours });
  issuerRoutes(app, runtime, publicUrl);
  directoryRoutes(app, runtime, withDirectory);
}

/** Users, and what they and administrators change about them. */
function peopleRoutes(app: HttpApp, runtime: Runtime): void {
  userRoutes(app, runtime);
  userPinRoutes(app, runtime);
  ownPasswordRoutes(app, runtime);
  passwordResetRoutes(app, runtime);
  deskRoutes(app, runtime);
  badgeRoutes(app, runtime);
  userSessionRoutes(app, runtime);
  mediaRulesRoutes(app, runtime);
  userMediaRoutes(app, runtime);
}
