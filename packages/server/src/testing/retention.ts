import pg from 'pg';
import { pino } from 'pino';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { openDatabase } from '../postgres/database.ts';
import { dropOldMonths } from '../upkeep/drop-old-months.ts';
import { addPastTenants } from '../upkeep/testing/past-tenants.fixture.ts';
import { testBox } from './test-box.ts';

const machine = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
/** Alarms are raised in so many tenants at once. */
const raisingTenants = 4;

export type Retention = {
  /** Raises one alarm after the other in some tenants, and returns the milliseconds that each took. */
  raiseFor(seconds: number): Promise<number[]>;
  raiseWhileDropping(): Promise<{ waits: number[]; seconds: number; months: string[] }>;
  close(): Promise<void>;
};

/** Drops the months that are older than those kept, as a server does once a day; returns them. */
export async function dropMonths(url: string, monthsKept: number): Promise<string[]> {
  const database = openDatabase({ url, connections: 2 });
  try {
    return await dropOldMonths({ database, log: pino({ level: 'silent' }), box: testBox }, monthsKept);
  } finally {
    await database.close();
  }
}

/** Tenants with a past of five months ago and of the month before the last, of which the first is to be dropped. */
export async function openRetention(
  url: string,
  { tenants, texts }: { tenants: number; texts: number },
): Promise<Retention> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const monthsAgo = (count: number) => {
    const today = new Date();
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - count)).toISOString().slice(0, 7);
  };
  await addPastTenants(owner, { tenants, texts, months: [monthsAgo(5), monthsAgo(2)] });
  await owner.query('vacuum analyze');
  await owner.end();
  const database = openDatabase({ url, connections: 4 });
  const runtime = { database, log: pino({ level: 'silent' }), box: testBox };
  const { submit } = createAlarmWriter(runtime);

  const raiseUntil = async (isDone: () => boolean): Promise<number[]> => {
    const waits: number[] = [];
    const raise = async (_: unknown, index: number) => {
      const tenantId = 2 + Math.floor((index * (tenants - 2)) / raisingTenants);
      for (let count = 0; !isDone(); count += 1) {
        const started = performance.now();
        const body = { path: `Pump ${count % 20}`, raised: count % 40 < 20 };
        await submit(tenantId, { kind: 'post', actor: machine, body });
        waits.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: raisingTenants }, raise));
    return waits;
  };
  return {
    raiseFor: (seconds) => {
      const end = performance.now() + seconds * 1_000;
      return raiseUntil(() => performance.now() >= end);
    },
    raiseWhileDropping: async () => {
      let isDone = false;
      const started = performance.now();
      const dropping = dropOldMonths(runtime, 3).finally(() => {
        isDone = true;
      });
      const [waits, months] = await Promise.all([raiseUntil(() => isDone), dropping]);
      return { waits, months, seconds: (performance.now() - started) / 1_000 };
    },
    close: () => database.close(),
  };
}
