import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ChaosSite } from './chaos-site.ts';
import { sendUntilAnswered, type Traffic } from './chaos-traffic.ts';

const drainMs = 90_000;

/** Waits until each escalation has called, acknowledges all open alarms and waits until all calls have ended. */
export async function drain(site: ChaosSite, { seed, log, tenants }: Omit<Traffic, 'size'>): Promise<void> {
  const database = new pg.Client({ connectionString: site.databaseUrl });
  await database.connect();
  try {
    const count = async (text: string) =>
      Number((await database.query<{ count: string }>(text, [`chaos/${seed}/%`])).rows[0]?.count);
    await until(() => count(uncalled), 'each escalation to call');
    await acknowledgeAll(database, { seed, log, tenants });
    await until(() => count(running), 'all calls to end').catch(async (error: Error) => {
      const { rows } = await database.query(
        `select d.* from call_attempts d ${ofRun} and d.ended_at is null`,
        [`chaos/${seed}/%`],
      );
      throw new Error(`${error.message}: ${JSON.stringify(rows)}`);
    });
    await sleep(2_500);
  } finally {
    await database.end();
  }
}

/** Acknowledges every open alarm, as an operator at a console. */
export async function acknowledgeAll(
  database: pg.Client,
  { seed, log, tenants }: Omit<Traffic, 'size'>,
): Promise<void> {
  const acknowledge = async ({ tenantId, tagId, path }: OpenAlarm) => {
    const tenant = tenants.find((one) => one.tenantId === tenantId);
    if (!tenant) return;
    const action = {
      op: 'acknowledge',
      key: `${path} finally`,
      message: '',
      priority: 0,
      groupId: 0,
    } as const;
    await sendUntilAnswered({ seed, log }, tenant, {
      ...action,
      path: `alarms/${tagId}/acknowledge`,
      body: {},
    });
  };
  await Promise.all((await openAlarms(database, seed)).map(acknowledge));
}

const ofRun = 'join tags t on t.tenant_id = d.tenant_id and t.id = d.tag_id where t.path like $1';
/** Open escalations that have made no call since they opened or since their mask ended. */
const uncalled = `select count(*) from escalations d ${ofRun} and d.closed_at is null and (
  exists (select from alarms a where a.tenant_id = d.tenant_id and a.tag_id = d.tag_id and a.mask_until is not null)
  or not exists (
    select from call_attempts c where c.tenant_id = d.tenant_id and c.escalation_id = d.id
      and c.outcome in ('accepted', 'ringing', 'delivered', 'answered', 'acknowledged', 'busy', 'noAnswer', 'refused')
      and c.started_at >= coalesce((select max(j.at) from journal j where j.tenant_id = d.tenant_id
        and j.occurrence_id = d.occurrence_id and j.kind = 'unmasked'), d.opened_at)))`;
const running = `select count(*) from call_attempts d ${ofRun} and d.ended_at is null`;

type OpenAlarm = { tenantId: number; tagId: number; path: string };

async function openAlarms(database: pg.Client, seed: number): Promise<OpenAlarm[]> {
  const { rows } = await database.query<OpenAlarm>(
    `select t.tenant_id::integer as "tenantId", t.id::integer as "tagId", t.path from tags t
     join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.path like $1 and a.state & 2 = 2`,
    [`chaos/${seed}/%`],
  );
  return rows;
}

async function until(left: () => Promise<number>, what: string): Promise<void> {
  const deadline = performance.now() + drainMs;
  for (;;) {
    const count = await left();
    if (count === 0) return;
    if (performance.now() > deadline) throw new Error(`waited ${drainMs} ms for ${what}: ${count} are left`);
    await sleep(500);
  }
}
