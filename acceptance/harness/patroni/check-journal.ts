import type pg from 'pg';
import type { TakenAlarm } from './gateways.ts';

type Row = { seq: number; tagId: number; mark: string | null };

/**
 * Compares the journal with what was answered: every 200 once and with its identifier, nothing that nobody sent, a dense
 * `seq`. Returns the differences.
 */
export async function journalFaults(
  sql: pg.Client,
  name: string,
  taken: readonly TakenAlarm[],
  tenantId = 1,
): Promise<string[]> {
  const { rows } = await sql.query<Row>(
    `select seq::integer, tag_id::integer as "tagId", alarm->>'value' as mark from journal
     where tenant_id = $1 order by seq`,
    [tenantId],
  );
  const stored = Map.groupBy(
    rows.filter(({ mark }) => mark?.startsWith(`${name} `)),
    ({ mark }) => mark ?? '',
  );
  const answered = new Set(taken.map(({ mark }) => mark));
  const gaps = rows.flatMap(({ seq }, index) =>
    seq === index + 1 ? [] : `seq ${seq} at place ${index + 1}`,
  );
  return [
    ...gaps.slice(0, 3),
    ...taken.flatMap((alarm) => storedFault(alarm, stored.get(alarm.mark) ?? [])),
    ...[...stored.keys()].flatMap((mark) => (answered.has(mark) ? [] : `${mark}: stored and never answered`)),
    ...identifierFaults(taken),
  ];
}

function storedFault({ mark, id }: TakenAlarm, rows: readonly Row[]): string[] {
  if (rows.length !== 1) return [`${mark}: answered 200, stored ${rows.length} times`];
  return rows[0]?.tagId === id ? [] : [`${mark}: answered ${id}, stored ${rows[0]?.tagId}`];
}

/** A path has one identifier, and an identifier one path. */
function identifierFaults(taken: readonly TakenAlarm[]): string[] {
  const idsOf = Map.groupBy(taken, ({ path }) => path);
  const pathsOf = Map.groupBy(taken, ({ id }) => id);
  const severalIds = [...idsOf].filter(([, alarms]) => new Set(alarms.map(({ id }) => id)).size > 1);
  const severalPaths = [...pathsOf].filter(([, alarms]) => new Set(alarms.map(({ path }) => path)).size > 1);
  return [
    ...severalIds.map(([path]) => `${path} has several identifiers`),
    ...severalPaths.map(([id]) => `the identifier ${id} has several paths`),
  ];
}
