/** Time series by name and labels, in the notation of `promtool test rules`: `0+1x240` starts at 0 and rises by 1. */
export type SeriesValues = Readonly<Record<string, string>>;

/** A fault, as Prometheus sees it, and the alert that it sets off. */
export type AlertCase = {
  readonly alert: string;
  readonly fault: string;
  /** Series that differ from those of a healthy server. */
  readonly series: SeriesValues;
  /** Labels of the alert besides its severity. */
  readonly labels: Readonly<Record<string, string>>;
};

const all = 'job="tocsin",instance="plant:9464"';
const server = { job: 'tocsin', instance: 'plant:9464' };
const instance = { instance: 'plant:9464' };
const job = { job: 'tocsin' };
const voice = { ...job, medium: 'Voice' };
const one = (name: string, labels = '') => `${name}{${all}${labels === '' ? '' : `,${labels}`}}`;
const constant = (value: number) => `${value}x240`;
const rising = (by: number) => `0+${by}x240`;

const channels = (state: string) => one('tocsin_channels', `medium="Voice",state="${state}"`);
const attempts = (outcome: string) =>
  one('tocsin_call_attempts_total', `medium="Voice",outcome="${outcome}"`);
const passAge = (loop: string) => one('tocsin_dispatch_pass_age_seconds', `loop="${loop}"`);
const firstCalls = (le: string) => one('tocsin_first_call_seconds_bucket', `le="${le}"`);
const hubLag = (le: string) => one('tocsin_hub_feed_lag_seconds_bucket', `le="${le}"`);
const requests = (route: string, status: string) =>
  one('tocsin_http_request_seconds_count', `method="POST",route="${route}",status="${status}"`);
const posts = (le: string) =>
  one('tocsin_http_request_seconds_bucket', `method="POST",route="/api/v1/alarms",status="2xx",le="${le}"`);
const expiry = one('tocsin_tls_certificate_expiry_timestamp_seconds');
const day = 86_400;

/** A server that has nothing to report, over an hour with a value every 15 seconds. */
export const health: SeriesValues = {
  [one('up')]: constant(1),
  [one('tocsin_ready')]: constant(1),
  [one('tocsin_dispatch_healthy')]: constant(1),
  [passAge('escalate')]: constant(0.2),
  [passAge('deliver')]: constant(0.3),
  [passAge('renew calls')]: constant(3),
  [one('tocsin_dispatch_lag_seconds')]: constant(0.4),
  [one('tocsin_escalations_overdue')]: constant(0),
  [one('tocsin_tenants_without_healthy_channel')]: constant(0),
  [channels('healthy')]: constant(2),
  [channels('down')]: constant(0),
  [attempts('calling')]: rising(2),
  [attempts('accepted')]: rising(1.8),
  // One wrong number in ten is everyday life.
  [attempts('failed')]: rising(0.2),
  [firstCalls('1')]: rising(2),
  [firstCalls('30')]: rising(2),
  [firstCalls('60')]: rising(2),
  [firstCalls('+Inf')]: rising(2),
  [requests('/api/v1/alarms', '2xx')]: rising(20),
  [requests('/api/v1/alarms', '5xx')]: constant(3),
  // A probe that was refused while the server started.
  [requests('/readyz', '5xx')]: rising(1),
  [posts('0.25')]: rising(20),
  [posts('1')]: rising(20),
  [posts('2.5')]: rising(20),
  [posts('+Inf')]: rising(20),
  [one('tocsin_database_connections', 'state="waiting"')]: constant(0),
  [one('tocsin_database_connections', 'state="used"')]: constant(4),
  [hubLag('0.1')]: rising(20),
  [hubLag('5')]: rising(20),
  [hubLag('10')]: rising(20),
  [hubLag('+Inf')]: rising(20),
  // Busy, but it catches up every time.
  [one('tocsin_hub_journal_lag_entries')]: '0 40 0 12'.concat(' 0 25 0 7'.repeat(59)),
  [one('tocsin_hub_journal_breaks_total')]: constant(1),
  [one('tocsin_hub_node_messages_refused_total')]: constant(0),
  [expiry]: constant(60 * day),
};

/** An hour in which the value changes after 25 minutes, five before the alerts are looked at. */
const changing = (before: number, after: number) => `${before}x99 ${after}x140`;

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'TocsinServerDown',
    fault: 'a server cannot be scraped',
    series: { [one('up')]: changing(1, 0) },
    labels: server,
  },
  {
    alert: 'TocsinNotReady',
    fault: 'the database is away',
    series: { [one('tocsin_ready')]: changing(1, 0) },
    labels: server,
  },
  {
    alert: 'TocsinServerErrors',
    fault: 'some requests are answered with 500',
    series: { [requests('/api/v1/alarms', '5xx')]: rising(0.1) },
    labels: instance,
  },
  {
    alert: 'TocsinAlarmsAcceptedSlowly',
    fault: 'one alarm in twenty takes two seconds',
    series: { [posts('0.25')]: rising(19), [posts('1')]: rising(19) },
    labels: instance,
  },
  {
    alert: 'TocsinDatabaseConnectionsExhausted',
    fault: 'requests wait for a connection',
    series: { [one('tocsin_database_connections', 'state="waiting"')]: changing(0, 3) },
    labels: { ...server, state: 'waiting' },
  },
  {
    alert: 'TocsinCertificateExpires',
    fault: 'a certificate expires in ten days',
    series: { [expiry]: constant(10 * day) },
    labels: server,
  },
  {
    alert: 'TocsinCertificateExpiresSoon',
    fault: 'a certificate expires in two days',
    series: { [expiry]: constant(2 * day) },
    labels: server,
  },
  {
    alert: 'TocsinNoDispatcher',
    fault: 'the only server that remains has no role dispatch',
    series: { [one('tocsin_dispatch_healthy')]: '1x40' },
    labels: job,
  },
  {
    alert: 'TocsinDispatcherStopped',
    fault: 'a pass of the dispatcher hangs',
    series: { [passAge('escalate')]: '0.2x115 1+15x100' },
    labels: instance,
  },
  {
    alert: 'TocsinDispatcherUnhealthy',
    fault: 'the clock of the server is wrong',
    series: { [one('tocsin_dispatch_healthy')]: changing(1, 0) },
    labels: server,
  },
  {
    alert: 'TocsinDispatchLate',
    fault: 'the dispatcher does not keep up with a flood',
    series: { [one('tocsin_dispatch_lag_seconds')]: changing(0, 45) },
    labels: job,
  },
  {
    alert: 'TocsinEscalationsOverdue',
    fault: 'nobody looks at three escalations',
    series: { [one('tocsin_escalations_overdue')]: changing(0, 3) },
    labels: job,
  },
  {
    alert: 'TocsinFirstCallSlow',
    fault: 'one alarm in four waits for 45 seconds',
    series: { [firstCalls('1')]: rising(1.5), [firstCalls('30')]: rising(1.5) },
    labels: job,
  },
  {
    alert: 'TocsinNoHealthyChannel',
    fault: 'all channels of a tenant are down',
    series: { [one('tocsin_tenants_without_healthy_channel')]: changing(0, 1) },
    labels: job,
  },
  {
    alert: 'TocsinMediumDown',
    fault: 'both trunks are down',
    series: { [channels('healthy')]: changing(2, 0), [channels('down')]: changing(0, 2) },
    labels: voice,
  },
  {
    alert: 'TocsinChannelDown',
    fault: 'one of two trunks is down',
    series: { [channels('healthy')]: '2x80 1x160', [channels('down')]: '0x80 1x160' },
    labels: voice,
  },
  {
    alert: 'TocsinAttemptsFail',
    fault: 'half of the calls fail',
    series: { [attempts('failed')]: rising(1) },
    labels: voice,
  },
  {
    alert: 'TocsinHubLate',
    fault: 'clients get one alarm in ten after eight seconds',
    series: { [hubLag('0.1')]: rising(18), [hubLag('5')]: rising(18) },
    labels: instance,
  },
  {
    alert: 'TocsinHubBehind',
    fault: 'the journal cannot be read',
    series: { [one('tocsin_hub_journal_lag_entries')]: '0x90 1+3x150' },
    labels: server,
  },
  {
    alert: 'TocsinJournalBreak',
    fault: 'a failover has lost entries',
    series: { [one('tocsin_hub_journal_breaks_total')]: changing(1, 2) },
    labels: server,
  },
  {
    alert: 'TocsinForeignMessages',
    fault: 'somebody else publishes on NATS',
    series: { [one('tocsin_hub_node_messages_refused_total')]: changing(0, 9) },
    labels: server,
  },
];
