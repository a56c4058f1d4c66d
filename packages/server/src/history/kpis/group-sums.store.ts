import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { dayText, splitAtOpenMonth } from '../calendar.ts';
import { inScope, raisedIn } from '../occurrence-scope.store.ts';
import { atStations, type KpiScope } from './kpi-scope.store.ts';

/** Alarms of a tag group (0: none) with a priority, and how long it took to acknowledge and to reset them. */
export type GroupSum = {
  tagGroupId: number;
  /** Empty for none, and for a group that was deleted. */
  groupName: string;
  priority: number;
  alarms: number;
  reactions: number;
  reactionSeconds: number;
  repairs: number;
  repairSeconds: number;
};

export async function readGroupSums(transaction: TenantTransaction, scope: KpiScope): Promise<GroupSum[]> {
  const { tenantId } = transaction;
  const { rows } = await sql<GroupSum>`
    with parts as (${sql.join(partsOf(transaction, scope), sql` union all `)}),
      sums as (select tag_group_id, priority, sum(n)::bigint as n, sum(rn)::bigint as rn, sum(rs)::bigint as rs,
        sum(pn)::bigint as pn, sum(ps)::bigint as ps from parts group by tag_group_id, priority having sum(n) > 0)
    select s.tag_group_id as "tagGroupId", coalesce(g.localized_name, '') as "groupName", s.priority, s.n as alarms,
      s.rn as reactions, s.rs as "reactionSeconds", s.pn as repairs, s.ps as "repairSeconds"
    from sums s left join tag_groups g on g.tenant_id = ${tenantId} and g.id = s.tag_group_id
    order by s.tag_group_id, s.priority`.execute(transaction.withoutPlugins());
  return rows;
}

function partsOf(
  transaction: TenantTransaction,
  { scope, source, firstOpenMonth }: KpiScope,
): RawBuilder<unknown>[] {
  if (source.kind === 'rows')
    return [rawSums(transaction, [{ where: inScope(transaction, source.rows), sign: 1 }])];
  const { days, edges } = scope.calendar.nearest;
  const atEdges = edges.map(({ interval, sign }) => ({
    where: raisedIn(transaction, scope, interval),
    sign,
  }));
  const raw = atEdges.length > 0 ? [rawSums(transaction, atEdges)] : [];
  if (!days) return raw;
  const { closed, open } = splitAtOpenMonth(days, firstOpenMonth);
  const ofStations = atStations(source.stationIds);
  const kept = (table: 'group_days' | 'group_months', within: RawBuilder<unknown>) =>
    sql`select k.tag_group_id, k.priority, sum(k.alarms) as n, sum(k.reactions) as rn, sum(k.reaction_seconds) as rs,
        sum(k.repairs) as pn, sum(k.repair_seconds) as ps
      from ${sql.table(table)} k where k.tenant_id = ${transaction.tenantId} and ${ofStations} and ${within}
      group by k.tag_group_id, k.priority`;
  return [
    ...raw,
    ...(closed ? [kept('group_months', sql`k.month between ${closed.first} and ${closed.last}`)] : []),
    ...open.map(({ first, last }) =>
      kept('group_days', sql`k.day between ${dayText(first)}::date and ${dayText(last)}::date`),
    ),
  ];
}

type SignedRows = { where: RawBuilder<unknown>; sign: 1 | -1 };

/** All rows in one part, because joining the texts takes longer than reading a few hours. */
function rawSums({ tenantId }: TenantTransaction, parts: readonly SignedRows[]): RawBuilder<unknown> {
  const rows = parts.map(
    ({
      where,
      sign,
    }) => sql`select ${sign}::integer as sign, o.text_id, o.priority, o.raised_at, o.acknowledged_at,
      o.reset_at from occurrences o where ${where}`,
  );
  return sql`select coalesce(x.tag_group_id, 0) as tag_group_id, o.priority, sum(o.sign) as n,
      coalesce(sum(o.sign) filter (where o.acknowledged_at >= o.raised_at), 0) as rn,
      sum(o.sign * whole_seconds_between(o.raised_at, o.acknowledged_at)) as rs,
      coalesce(sum(o.sign) filter (where o.reset_at >= o.raised_at), 0) as pn,
      sum(o.sign * whole_seconds_between(o.raised_at, o.reset_at)) as ps
    from (${sql.join(rows, sql` union all `)}) o
    left join texts x on x.tenant_id = ${tenantId} and x.id = o.text_id
    group by 1, 2`;
}
