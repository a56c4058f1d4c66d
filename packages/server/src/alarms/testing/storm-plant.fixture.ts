import { randomUUID } from 'node:crypto';
import { createTenant } from '../../people/create-tenant.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';

const actionsOf = (...actions: object[]) => JSON.stringify(actions);
const callGroup = (id: number) => ({ type: 'CallGroup', id });

/**
 * A tenant with two people in two call groups, of which the second is the fallback, two scenarios, and two tag groups
 * that follow them, the second of which acknowledges automatically.
 */
export async function addStormPlant(runtime: Runtime): Promise<number> {
  const tenantId = await createTenant(runtime, { name: randomUUID() });
  await inTenant(runtime.database, tenantId, async ({ client, now }) => {
    const run = (text: string, ...values: unknown[]) => client.query(text, [tenantId, ...values]);
    await run(
      `insert into users (tenant_id, id, username, name, search_text, role, last_change)
       select $1, n, $2 || n, 'Person ' || n, '', 'operator', $3 from generate_series(101, 102) n`,
      randomUUID(),
      now,
    );
    await run(`insert into user_media (tenant_id, user_id, position, kind, address, enabled)
               select $1, n, 0, 'Voice', '+3312345' || n, true from generate_series(101, 102) n`);
    await run(
      `insert into call_groups (tenant_id, id, name, localized_name, search_text, mode, ack_timeout, attempts, cycles,
         slot_minutes, last_change)
       select $1, n, 'Group ' || n, '', '', 'Sequential', 60, 1, 1, 60, $2 from generate_series(1, 2) n`,
      now,
    );
    await run(`insert into call_group_members (tenant_id, call_group_id, position, user_id)
               select $1, n, 0, 100 + n from generate_series(1, 2) n`);
    await run('update tenants set fallback_call_group_id = 2 where id = $1');
    await run(
      `insert into scenarios (tenant_id, id, name, localized_name, search_text, alarm_actions, reset_actions, ack_actions,
         call_group_ids, last_change)
       values ($1, 1, 'Call', '', '', $2, $3, '[]', '{1,2}', $5), ($1, 2, 'Sound', '', '', $4, '[]', $3, '{2}', $5)`,
      actionsOf(callGroup(1), { type: 'ExecuteCommand', scriptId: 1 }),
      actionsOf(callGroup(2)),
      actionsOf({ type: 'PlaySound', parameter: 'siren' }),
      now,
    );
    await run(
      `insert into tag_groups (tenant_id, id, name, localized_name, search_text, auto_acknowledge, scenario_id, last_change)
       select $1, n, 'Hall ' || n, '', '', n = 2, n, $2 from generate_series(1, 2) n`,
      now,
    );
  });
  return tenantId;
}

/** All rows that a batch writes. Ids that differ between equal plants (tenants, texts, escalations) are left out or ranked. */
export function everythingOf({ database }: Runtime, tenantId: number) {
  return readTenant(database, tenantId, async ({ client }) => {
    const rowsOf = async (text: string) => (await client.query<object>(text, [tenantId])).rows;
    return {
      journal: await rowsOf('select t.*, 0 as tenant_id from journal t where tenant_id = $1 order by seq'),
      tags: await rowsOf('select t.*, 0 as tenant_id from tags t where tenant_id = $1 order by id'),
      alarms: await rowsOf('select t.*, 0 as tenant_id from alarms t where tenant_id = $1 order by tag_id'),
      occurrences: await rowsOf(
        `select o.*, x.message, x.comment, x.call_group_ids, 0 as tenant_id, 0 as text_id from occurrences o
         join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id where o.tenant_id = $1 order by o.id`,
      ),
      answers: await rowsOf(
        'select principal, key, body from idempotency_keys where tenant_id = $1 order by key',
      ),
      escalations: await rowsOf(
        'select d.*, 0 as tenant_id, 0 as id from escalations d where tenant_id = $1 order by d.id',
      ),
      // Of two alarms in one batch, either may get its ids first.
      commandRuns: await rowsOf(
        `select r.*, 0 as tenant_id, 0 as id from command_runs r where tenant_id = $1
         order by r.tag_id, r.occurrence_id, r.occasion, r.id`,
      ),
      systemAlarms: await rowsOf(
        'select path, kind, subject, cause, message, extra_members, raised from system_alarms where tenant_id = $1 order by path',
      ),
      callEvents: await rowsOf(
        `with ranked as (select id, row_number() over (order by id) as place from escalations where tenant_id = $1)
         select t.kind, t.at, r.place, t.attempt_id, t.station_id, t.sound from call_events t
         left join ranked r on r.id = t.escalation_id where t.tenant_id = $1
         order by t.kind, r.place, t.transaction_id, t.id`,
      ),
    };
  });
}
