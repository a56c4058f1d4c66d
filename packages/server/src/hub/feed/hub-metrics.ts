import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type HubMetrics = {
  readonly reads: Counter;
  readonly nodeMessagesRefused: Counter;
  readonly repairs: Counter;
  readonly repairedEntries: Counter;
  readonly lagSeconds: Histogram;
  readonly pushed: Counter;
  readonly revoked: Counter;
  readonly journalBreaks: Counter;
};

/** Values that are read when Prometheus scrapes. */
export type HubReadings = {
  /** By `family.transport`. */
  open(): Readonly<Record<string, number>>;
  slowConsumers(): number;
  forwarded(): number;
  tenants(): number;
  behind(): number;
  natsConnected(): boolean;
};

export function createHubMetrics(registry: Registry): HubMetrics {
  const registers = [registry];
  return {
    reads: new Counter({
      name: 'tocsin_hub_journal_reads_total',
      help: 'Times the journal was read for entries that another server has written.',
      registers,
    }),
    nodeMessagesRefused: new Counter({
      name: 'tocsin_hub_node_messages_refused_total',
      help: 'Messages on NATS that no server of this installation has signed.',
      registers,
    }),
    repairs: new Counter({
      name: 'tocsin_hub_journal_repairs_total',
      help: 'Reads that found entries which no server had announced.',
      registers,
    }),
    repairedEntries: new Counter({
      name: 'tocsin_hub_journal_repaired_entries_total',
      help: 'Entries that no server had announced.',
      registers,
    }),
    lagSeconds: new Histogram({
      name: 'tocsin_hub_feed_lag_seconds',
      help: 'Time from the change of an alarm until it is written to all clients of this server.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    pushed: new Counter({
      name: 'tocsin_hub_entries_total',
      help: 'Journal entries that were written to the clients of their tenant.',
      registers,
    }),
    journalBreaks: new Counter({
      name: 'tocsin_hub_journal_breaks_total',
      help: 'Times a journal was replaced, by a restored backup or a failover that lost entries.',
      registers,
    }),
    revoked: new Counter({
      name: 'tocsin_hub_revoked_connections_total',
      help: 'Connections closed because their token was revoked or its rights changed.',
      registers,
    }),
  };
}

export function watchHub(registry: Registry, readings: HubReadings): void {
  const registers = [registry];
  const connections = new Gauge({
    name: 'tocsin_hub_connections',
    help: 'Clients of the hub by protocol family and transport.',
    labelNames: ['family', 'transport'],
    registers,
    collect: () => {
      for (const [name, count] of Object.entries(readings.open())) {
        const [family = '', transport = ''] = name.split('.');
        connections.set({ family, transport }, count);
      }
    },
  });
  gauge(registry, 'tocsin_hub_tenants', 'Tenants with clients on this server.', () => readings.tenants());
  gauge(
    registry,
    'tocsin_hub_journal_lag_entries',
    'Journal entries that wait to be pushed to the clients of this server.',
    () => readings.behind(),
  );
  gauge(registry, 'tocsin_hub_nats_connected', 'Whether this server is connected to NATS.', () =>
    Number(readings.natsConnected()),
  );
  counter(
    registry,
    'tocsin_hub_slow_consumers_total',
    'Clients that were disconnected because they read too slowly.',
    () => readings.slowConsumers(),
  );
  counter(
    registry,
    'tocsin_hub_forwarded_total',
    'Requests that were forwarded to the server of the connection.',
    () => readings.forwarded(),
  );
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Gauge = new Gauge({ name, help, registers: [registry], collect: () => metric.set(read()) });
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect: () => {
      metric.reset();
      metric.inc(read());
    },
  });
}
