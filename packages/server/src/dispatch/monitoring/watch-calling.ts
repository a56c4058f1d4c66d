import { addSeconds } from '@tocsin/domain';
import { Gauge, type Registry } from 'prom-client';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { overdueSeconds } from './audit-escalations.ts';
import { type ChannelCount, countChannels, readCallingState } from './calling-state.store.ts';

/** The last reading of the database. */
type Reading = {
  openEscalations: number;
  overdueEscalations: number;
  queuedAttempts: number;
  tenantsWithoutChannel: number;
  lagSeconds: number;
  channels: readonly ChannelCount[];
  /** By `performance.now()`. */
  readMs: number;
};

export type CallingWatch = {
  /** Reads the state of calling once. */
  run(): Promise<void>;
};

/** Counts stop here: whether 10,000 or more calls are late, the alert is the same. */
const maxCount = 10_000;
/** An older reading is not served, because missing data must not look like good data. */
const maxAgeMs = 30_000;

/** Serves the state of calling of all tenants as metrics, from a reading that a job repeats. A scrape reads no database. */
export function watchCalling({ database }: Runtime, registry: Registry): CallingWatch {
  let last: Reading | undefined;
  const fresh = () => (last && performance.now() - last.readMs <= maxAgeMs ? last : undefined);
  const gauge = (name: string, help: string, valueOf: (reading: Reading) => number) => {
    const metric: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        const reading = fresh();
        metric.set(reading ? valueOf(reading) : Number.NaN);
      },
    });
  };
  gauge('tocsin_escalations_open', 'Escalations that are open.', (one) => one.openEscalations);
  gauge(
    'tocsin_escalations_overdue',
    'Open escalations that were due a minute ago and that no dispatcher has advanced.',
    (one) => one.overdueEscalations,
  );
  gauge('tocsin_call_attempts_queued', 'Attempts that wait to be sent.', (one) => one.queuedAttempts);
  gauge(
    'tocsin_dispatch_lag_seconds',
    'How long the escalation that waits longest for a dispatcher has been due.',
    (one) => one.lagSeconds,
  );
  gauge(
    'tocsin_tenants_without_healthy_channel',
    'Tenants whose channels are all down.',
    (one) => one.tenantsWithoutChannel,
  );
  serveChannels(registry, () => fresh()?.channels ?? []);
  return {
    run: async () => {
      last = await readState(database);
    },
  };
}

function serveChannels(registry: Registry, channels: () => readonly ChannelCount[]): void {
  const metric: Gauge = new Gauge({
    name: 'tocsin_channels',
    help: 'Enabled channels of all tenants by medium and state.',
    labelNames: ['medium', 'state'],
    registers: [registry],
    collect: () => {
      metric.reset();
      for (const { medium, channels: all, down } of channels()) {
        metric.set({ medium, state: 'healthy' }, all - down);
        metric.set({ medium, state: 'down' }, down);
      }
    },
  });
}

function readState(database: Runtime['database']): Promise<Reading> {
  return outsideTenants(database, async (outside) => {
    const { now } = outside;
    const { oldestDueAt, ...counts } = await readCallingState(
      outside,
      addSeconds(now, -overdueSeconds),
      maxCount,
    );
    const lagSeconds = oldestDueAt ? Math.max(0, now.getTime() - oldestDueAt.getTime()) / 1_000 : 0;
    const channels = await countChannels(outside, maxCount);
    return { ...counts, lagSeconds, channels, readMs: performance.now() };
  });
}
