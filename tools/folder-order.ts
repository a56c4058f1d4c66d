/** The packages of this repository that each package may import. */
export const packageImports: Record<string, readonly string[]> = {
  domain: [],
  contract: [],
  signalr: [],
  telemetry: [],
  client: ['contract'],
  cli: ['client', 'contract', 'server'],
  console: ['client', 'contract', 'domain'],
  server: ['contract', 'domain', 'signalr', 'telemetry'],
};

/** A folder of a package, relative to its `src`, the subject of its files, and in the server the layer it belongs to. */
export type Folder = { readonly path: string; readonly holds: string; readonly layer?: string };

/**
 * The folders of each package from the bottom to the top. A file imports from its own folder and from folders above it
 * in this list. The root of a package comes last, because it puts the parts together.
 */
export const folderOrder: Readonly<Record<string, readonly Folder[]>> = {
  domain: [
    { path: 'time', holds: 'instants, time zones, durations' },
    { path: 'alarm', holds: 'states of an alarm, event condition, mask, message placeholders' },
    { path: 'roster', holds: 'slots, rotations, overrides, leaves, changes of the clocks' },
    { path: 'channel', holds: 'health of channels, choice of one, limits' },
    { path: 'calling', holds: 'call plan, escalation, delivery, bundles' },
    { path: 'contact', holds: 'addresses of people: confirmations, codes and their limits' },
    { path: 'dialogue/words', holds: 'the sentences of a call in each language' },
    { path: 'dialogue', holds: 'the dialogue of a telephone call: prompts, keys, answers' },
    { path: 'notice', holds: 'messages about no alarm: tests, codes, reminders' },
    { path: 'history', holds: 'occurrences, statistics, interventions' },
  ],
  signalr: [
    { path: 'hub', holds: 'hub, its messages, log' },
    { path: 'protocols', holds: 'JSON and MessagePack hub protocols' },
    { path: 'tokens', holds: 'connection tokens' },
    { path: 'http', holds: 'responses, request bodies, CORS, forwarding to the owner of a connection' },
    { path: 'transports', holds: 'WebSockets, server-sent events, long polling' },
    { path: 'runtime', holds: 'limits, admission, heartbeat, fan-out' },
    { path: 'core/invocations', holds: 'invocations, streams, cancellation' },
    { path: 'core', holds: 'ASP.NET Core SignalR' },
    { path: 'classic/transports', holds: 'transports of classic clients' },
    { path: 'classic', holds: 'ASP.NET SignalR 2' },
  ],
  client: [
    { path: 'common', holds: 'clock, listeners' },
    { path: 'http', holds: 'requests with a token, problems, whole lists' },
    { path: 'session', holds: 'log-in, access token, log-out' },
    { path: 'hub', holds: 'one connection to the hub' },
    { path: 'feed', holds: 'current alarms and calls: connections, heartbeat, state' },
    { path: 'outbox', holds: 'acknowledgments that wait for a connection' },
  ],
  cli: [
    { path: 'common', holds: 'exit codes, errors, texts for terminals' },
    { path: 'command', holds: 'options and help of a command' },
    { path: 'connection', holds: 'address, token and session of a server' },
    { path: 'plant', holds: 'plant files: sections, their schemas, lines, names' },
    { path: 'apply', holds: 'differences between a plant file and a server, and writing them' },
    { path: 'watch', holds: 'alarms on a terminal' },
    {
      path: 'demo/folder',
      holds: 'the folder of the demo, its lock and secrets, ports, programs that it starts',
    },
    { path: 'demo/postgres', holds: 'PostgreSQL of the demo: programs, database, start and end' },
    { path: 'demo/waterworks', holds: 'people, signals, guidance and plant file of the simulated plant' },
    { path: 'demo/simulation', holds: 'the life of the plant: faults, levels, links, storms' },
    { path: 'demo/phones', holds: 'telephones of the demo: exchange, page, call-backs' },
    { path: 'demo/screen', holds: 'progress, start screen and keys of a terminal' },
    { path: 'demo/run', holds: 'the parts of the demo together' },
    { path: 'demo/promote', holds: 'configuration of a real server from the demo' },
    { path: 'commands', holds: 'one file per command' },
  ],
  server: [
    { layer: 'Foundation', path: 'common', holds: 'problems, caches, encryption of secrets, log' },
    {
      layer: 'Foundation',
      path: 'postgres',
      holds: 'connections, tenant transactions, migrations, partitions',
    },
    {
      layer: 'Foundation',
      path: 'postgres/collections',
      holds: 'pages, search, filters and visibility of configured objects',
    },
    { layer: 'Foundation', path: 'audit', holds: 'audit trail: entries, hash chain, export, verification' },
    { layer: 'Access', path: 'http', holds: 'principal, permissions, pages, rate limits, idempotency' },
    { layer: 'Access', path: 'http/console', holds: 'files of the operator console, served from memory' },
    { layer: 'Access', path: 'http/openapi', holds: 'OpenAPI document and its reference page' },
    {
      layer: 'Access',
      path: 'http/server',
      holds: 'Fastify instance: validation, problems, TLS, metrics, health',
    },
    { layer: 'Access', path: 'identity/tokens', holds: 'access tokens, signing keys, OpenID Connect' },
    {
      layer: 'Access',
      path: 'identity/security-settings',
      holds: 'rules of the tenant for log-ins and dangerous actions',
    },
    { layer: 'Access', path: 'identity/approvals', holds: 'actions that wait for a second person' },
    {
      layer: 'Access',
      path: 'identity/second-factors',
      holds: 'authenticator apps, recovery codes, passkeys, steps of a log-in',
    },
    { layer: 'Access', path: 'identity/sessions', holds: 'log-in, log-out, passwords, refresh tokens' },
    {
      layer: 'Access',
      path: 'identity/confirmations',
      holds: 'fresh proofs for dangerous actions, challenges for passkeys',
    },
    { layer: 'Access', path: 'identity/api-keys', holds: 'API keys' },
    { layer: 'Access', path: 'identity', holds: 'authentication of a request' },
    {
      layer: 'Configuration',
      path: 'plant',
      holds: 'stations, data servers, tag groups, scenarios, media files',
    },
    { layer: 'Configuration', path: 'people', holds: 'tenants, users, first set-up' },
    {
      layer: 'Configuration',
      path: 'people/self-service',
      holds: 'what people change themselves: media, media rules, PIN',
    },
    {
      layer: 'Configuration',
      path: 'people/second-factors',
      holds: 'how people set up their second factors, and administrators reset them',
    },
    {
      layer: 'Configuration',
      path: 'people/password-resets',
      holds: 'new passwords by a one-time code',
    },
    {
      layer: 'Configuration',
      path: 'people/desks',
      holds: 'shared desks: sessions, PINs and badges at them',
    },
    { layer: 'Configuration', path: 'call-groups', holds: 'call groups, teams, rosters, leaves, groupings' },
    {
      layer: 'Alarms',
      path: 'escalations',
      holds: 'escalation rows, call events, system alarms, call directory',
    },
    { layer: 'Alarms', path: 'journal', holds: 'numbered journal of a tenant' },
    { layer: 'Alarms', path: 'alarms/decide', holds: 'pure: effects of a command on an alarm' },
    { layer: 'Alarms', path: 'alarms/store', holds: 'SQL of tags, alarms, occurrences and texts' },
    {
      layer: 'Alarms',
      path: 'alarms/write',
      holds: 'tenant queues, batches, caches, one transaction per batch',
    },
    { layer: 'Alarms', path: 'alarms', holds: 'routes of alarms, end of masks' },
    { layer: 'Alarms', path: 'guidance', holds: 'guidance of alarms and its versions, last values of tags' },
    { layer: 'Alarms', path: 'tags', holds: 'list of tags, one change for many, files for spreadsheets' },
    { layer: 'Alarms', path: 'site-plans', holds: 'plans of stations, positions on them, place of an alarm' },
    { layer: 'Reading and calling', path: 'history', holds: 'histories, statistics, interventions' },
    { layer: 'Reading and calling', path: 'history/kpis', holds: 'key figures of the alarm system' },
    { layer: 'Reading and calling', path: 'calls', holds: 'calls on request and their outcome' },
    {
      layer: 'Reading and calling',
      path: 'notices',
      holds: 'messages about no alarm: tests, codes, reminders',
    },
    {
      layer: 'Reading and calling',
      path: 'console',
      holds: 'what the console shows and keeps: areas, views, settings, sounds, proof that all is well',
    },
    {
      layer: 'Reading and calling',
      path: 'shifts',
      holds: 'shift notes with signatures, summary of a period',
    },
    { layer: 'Reading and calling', path: 'duties', holds: 'who is on duty when, calendars of it' },
    {
      layer: 'Reaching people',
      path: 'channels/network',
      holds: 'egress guard, name resolution, HTTP client',
    },
    {
      layer: 'Reaching people',
      path: 'channels/port',
      holds: 'interface of a channel, texts of a message, answer codes',
    },
    {
      layer: 'Reaching people',
      path: 'channels/speech',
      holds: 'spoken prompts: programs that speak, recordings, their cache',
    },
    {
      layer: 'Reaching people',
      path: 'channels/provider',
      holds: 'telephone providers by HTTP: requests, call-backs, spoken menus',
    },
    { layer: 'Reaching people', path: 'channels/sms', holds: 'SMS: SMPP sessions, modems of gammu-smsd' },
    { layer: 'Reaching people', path: 'channels/mail', holds: 'mail server, replies and bounces' },
    { layer: 'Reaching people', path: 'channels/push', holds: 'web push, ntfy' },
    { layer: 'Reaching people', path: 'channels/chat', holds: 'Teams, Slack, Telegram' },
    {
      layer: 'Reaching people',
      path: 'channels/sip',
      holds: 'telephone calls by SIP: processes, calls, trunks',
    },
    { layer: 'Reaching people', path: 'channels/kinds', holds: 'one file per kind of channel' },
    { layer: 'Reaching people', path: 'channels', holds: 'configured channels of a tenant' },
    {
      layer: 'Reaching people',
      path: 'channels/templates',
      holds: "the tenant's own texts of messages, by medium and language",
    },
    { layer: 'Reaching people', path: 'contacts', holds: 'codes that confirm the addresses of people' },
    {
      layer: 'Reaching people',
      path: 'dispatch/traces',
      holds: 'spans of escalation steps, attempts and answers',
    },
    {
      layer: 'Reaching people',
      path: 'dispatch/outcomes',
      holds: 'outcomes of attempts: reading, settling, storing',
    },
    {
      layer: 'Reaching people',
      path: 'dispatch/engine',
      holds: 'claim, escalate, deliver, settle, hang up, recover',
    },
    {
      layer: 'Reaching people',
      path: 'dispatch/listeners',
      holds: 'connections that bring replies and receipts, one server per channel',
    },
    { layer: 'Reaching people', path: 'dispatch/answers', holds: 'answer codes, links, pages, call-backs' },
    {
      layer: 'Reaching people',
      path: 'dispatch/monitoring',
      holds: 'auditor, channel probes, roster gaps, system alarms',
    },
    { layer: 'Reaching people', path: 'dispatch/views', holds: 'timeline, calls in progress, preview' },
    { layer: 'Reaching people', path: 'dispatch', holds: 'start and loop of a dispatcher' },
    { layer: 'Reaching people', path: 'commands', holds: 'programs that alarms run' },
    {
      layer: 'Reaching people',
      path: 'approvals',
      holds: 'decisions of a second person, and what they set off',
    },
    {
      layer: 'Log-ins elsewhere',
      path: 'outside',
      holds: 'users of issuers and directories, roles by group',
    },
    { layer: 'Log-ins elsewhere', path: 'outside/issuers', holds: 'sign-in through OpenID Connect issuers' },
    { layer: 'Log-ins elsewhere', path: 'outside/directory', holds: 'passwords of an LDAP directory' },
    { layer: 'Live push', path: 'hub/nodes', holds: 'messages between servers' },
    { layer: 'Live push', path: 'hub/access', holds: 'authentication of hub clients' },
    { layer: 'Live push', path: 'hub/subscriptions', holds: 'subscribers and their filters' },
    { layer: 'Live push', path: 'hub/feed', holds: 'journal entries in order to subscribers' },
    { layer: 'Live push', path: 'hub/call-events', holds: 'call events to subscribers' },
    { layer: 'Live push', path: 'hub', holds: 'hub methods, start of the hub' },
    { layer: 'Running the server', path: 'settings', holds: 'configuration, read once from the environment' },
    { layer: 'Running the server', path: 'upkeep', holds: 'periodic jobs: retention, expiry' },
    {
      layer: 'Running the server',
      path: 'setup',
      holds: 'opening of the database, tenants, keys, commands of the operator',
    },
    {
      layer: 'Running the server',
      path: 'setup/tenants',
      holds: 'export, import and deletion of a tenant',
    },
    {
      layer: 'Running the server',
      path: 'setup/tenants/move',
      holds: 'the move of a tenant to another cell',
    },
    {
      layer: 'Running the server',
      path: 'setup/backup',
      holds: 'backup and restore of the whole database',
    },
    {
      layer: 'Running the server',
      path: 'check',
      holds: 'the command that examines an installation: settings, files, database, channels, people',
    },
  ],
};

/** The position of a folder in the order of its package; undefined for a folder that is not listed. */
export function positionOf(packageName: string, folder: string): number | undefined {
  const order = folderOrder[packageName] ?? [];
  if (folder === '') return order.length;
  const position = order.findIndex(({ path }) => path === folder);
  return position === -1 ? undefined : position;
}
