import pg from 'pg';
import type { HttpClient } from '../http/http-client.ts';
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

/** Histories, statistics and interventions of one period of a tenant, and its stored occurrences. */
export type HistoryReport = {
  tenantId: number;
  period: string;
  /** Active alarms were counted up to a time between these. Epoch milliseconds. */
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
 * Reads the run, all until now, and all time: the server computes the first from rows, the second from rows and sums, the
 * third from sums alone.
 */
export async function readHistoryReports(
  client: HttpClient,
  { databaseUrl, tenantId, begun }: { databaseUrl: string; tenantId: number; begun: number },
): Promise<HistoryReport[]> {
  const [from = 0, to = 0] = [begun, Date.now()].map((time) => Math.floor(time / 1_000) * 1_000);
  const periods: Period[] = [{ name: 'the run', from, to }, { name: 'until now', to }, { name: 'all time' }];
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const historyReports: HistoryReport[] = [];
    for (const period of periods)
      historyReports.push(await readConsistently(client, { database, tenantId, period }));
    return historyReports;
  } finally {
    await database.end();
  }
}

type Asked = { database: pg.Client; tenantId: number; period: Period };

/** Reads again if the stored occurrences changed meanwhile, because the server still raises system alarms. */
async function readConsistently(
  client: HttpClient,
  { database, tenantId, period }: Asked,
): Promise<HistoryReport> {
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
    const entries = {
      histories: await readAll<HistoryEntry>(client, 'alarms/histories', asked),
      statistics: await readAll<StatisticEntry>(client, 'alarms/statistics', asked),
      interventions: await readAll<InterventionEntry>(client, 'alarms/interventions', asked),
    };
    const until = { earliest, latest: Math.min(to, Date.now()) };
    if (JSON.stringify(stored) === JSON.stringify(await readStored()))
      return { tenantId, period: name, until, ...entries, stored };
  }
  throw new Error(`tenant ${tenantId}: the histories kept changing`);
}

const pageSize = 500;

async function readAll<Item>(client: HttpClient, path: string, asked: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const query = [...asked, `limit=${pageSize}`, `offset=${items.length}`].join('&');
    const page = await read<Page<Item>>(client, `${path}?${query}`);
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.paging.total) return items;
  }
}
