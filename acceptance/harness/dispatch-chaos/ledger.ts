import pg from 'pg';
import type { OldClient } from '../old-client.ts';
import { type Page, read } from '../plant.ts';

export type HistoryEntry = {
  id: number;
  tagId: number;
  alarmTime: string;
  ackTime?: string;
  resetTime?: string;
  alarmDuration?: string;
  reactionDuration?: string;
  interventionDuration?: string;
};

export type StatisticEntry = {
  id: number;
  failureNumber: number;
  failureTotalTime: string;
  failureMeanTime: string;
};

export type InterventionEntry = {
  id: number;
  interventionNumber: number;
  reactionMeanTime: string;
  interventionMeanTime: string;
};

/** An occurrence as it is stored. Times are epoch milliseconds. */
export type StoredOccurrence = {
  id: number;
  tagId: number;
  raised: number;
  acknowledged: number | null;
  reset: number | null;
  /** 0 is the server itself, or a machine. */
  ackUserId: number | null;
};

/** What the interface tells of one period of a tenant in three ways, and what is stored of it. */
export type Ledger = {
  tenantId: number;
  period: string;
  /** Until when what is still active was counted: it was then or in between. Epoch milliseconds. */
  until: { earliest: number; latest: number };
  histories: HistoryEntry[];
  statistics: StatisticEntry[];
  interventions: InterventionEntry[];
  stored: StoredOccurrence[];
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const storedText = `
  select id::integer, tag_id::integer as "tagId", ${ms('raised_at')} as raised, ${ms('acknowledged_at')} as acknowledged,
    ${ms('reset_at')} as reset, ack_user_id::integer as "ackUserId"
  from occurrences where tenant_id = $1 order by id`;

type Period = { name: string; from?: number; to?: number };

/**
 * Asks for the run, for all until now, and for all: the last is told from sums alone, the first from rows, the other from
 * both.
 */
export async function readLedgers(
  client: OldClient,
  { databaseUrl, tenantId, begun }: { databaseUrl: string; tenantId: number; begun: number },
): Promise<Ledger[]> {
  const [from = 0, to = 0] = [begun, Date.now()].map((time) => Math.floor(time / 1_000) * 1_000);
  const periods: Period[] = [{ name: 'the run', from, to }, { name: 'until now', to }, { name: 'all time' }];
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const ledgers: Ledger[] = [];
    for (const period of periods) ledgers.push(await readSteadily(client, { database, tenantId, period }));
    return ledgers;
  } finally {
    await database.end();
  }
}

type Asked = { database: pg.Client; tenantId: number; period: Period };

/** Nobody acts any more but the system itself, which says something now and then: then it is all read again. */
async function readSteadily(client: OldClient, { database, tenantId, period }: Asked): Promise<Ledger> {
  const { name, from = 0, to = Number.POSITIVE_INFINITY } = period;
  const readStored = async () => {
    const { rows } = await database.query<StoredOccurrence>(storedText, [tenantId]);
    return rows.filter(({ raised }) => raised >= from && raised < to);
  };
  const asked = [
    ...(period.from === undefined ? [] : [`from=${new Date(period.from).toISOString()}`]),
    ...(period.to === undefined ? [] : [`to=${new Date(period.to).toISOString()}`]),
  ];
  for (let tries = 0; tries < 10; tries++) {
    const stored = await readStored();
    const earliest = Math.min(to, Date.now());
    const told = {
      histories: await readAll<HistoryEntry>(client, 'alarms/histories', asked),
      statistics: await readAll<StatisticEntry>(client, 'alarms/statistics', asked),
      interventions: await readAll<InterventionEntry>(client, 'alarms/interventions', asked),
    };
    const until = { earliest, latest: Math.min(to, Date.now()) };
    if (JSON.stringify(stored) === JSON.stringify(await readStored()))
      return { tenantId, period: name, until, ...told, stored };
  }
  throw new Error(`tenant ${tenantId}: the histories did not come to rest`);
}

const pageSize = 500;

async function readAll<Item>(client: OldClient, path: string, asked: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const query = [...asked, `limit=${pageSize}`, `offset=${items.length}`].join('&');
    const page = await read<Page<Item>>(client, `${path}?${query}`);
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.paging.total) return items;
  }
}
