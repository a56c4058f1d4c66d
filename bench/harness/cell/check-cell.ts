import type { LogWatch } from '../../../acceptance/harness/on-call/log-watch.ts';
import type { Figure } from '../figure.ts';
import { quantile, sorted } from '../quantile.ts';
import { queryDatabase } from '../sql/query-database.ts';
import type { StormOutcome } from './storm.ts';
import { callFolder } from './storm-requests.ts';

/** Whether every answered alarm is in the database, and every journal is without a gap. */
export async function lossFigures(databaseUrl: string, storms: readonly StormOutcome[]): Promise<Figure[]> {
  const rows = await queryDatabase<{ number: number }>(
    databaseUrl,
    `select distinct (alarm ->> 'value')::integer as number from journal where actor_id like 'key:%' and alarm ->> 'value' ~ '^\\d{9}$'`,
  );
  const kept = new Set(rows.map(({ number }) => number));
  const answered = new Set(storms.flatMap((storm) => storm.answered));
  const unknown = new Set(storms.flatMap((storm) => storm.unknown));
  const lost = [...answered].filter((number) => !kept.has(number));
  const unasked = [...kept].filter((number) => !answered.has(number) && !unknown.has(number));
  const [gaps] = await queryDatabase<{ missing: number; journals: number }>(
    databaseUrl,
    `select coalesce(sum(c.seq - coalesce(j.entries, 0)), 0)::integer as missing, count(j.entries)::integer as journals
     from tenant_counters c left join (select tenant_id, count(distinct seq) as entries from journal
       where seq > 0 group by tenant_id) j using (tenant_id)`,
  );
  return [
    {
      name: 'alarms answered and not kept, or kept and not sent',
      value: lost.length + unasked.length,
      unit: '',
      goal: { atMost: 0 },
      note: `of ${answered.size}; ${unknown.size} lost their connection and were sent again`,
    },
    {
      name: "numbers missing in the tenants' journals",
      value: gaps?.missing ?? Number.POSITIVE_INFINITY,
      unit: '',
      goal: { atMost: 0 },
      note: `of ${gaps?.journals} tenants`,
    },
  ];
}

type CalledAlarm = { sent: string | null; dueMs: number };

/** How long after its time each call that the storm wanted was handed to the phone company. */
export async function callFigure(
  databaseUrl: string,
  phones: LogWatch,
  { calls, startedAt }: StormOutcome,
): Promise<Figure> {
  const rows = await queryDatabase<CalledAlarm>(
    databaseUrl,
    `select a.sent, (extract(epoch from e.first_due_at) * 1000)::float8 as "dueMs"
     from tags t join escalations e on e.tenant_id = t.tenant_id and e.tag_id = t.id
     left join lateral (select c.tenant_id || '-' || coalesce(c.sent_as, c.id) as sent from call_attempts c
       where c.tenant_id = e.tenant_id and c.escalation_id = e.id order by c.id limit 1) a on true
     where t.path like '${callFolder}/%' and e.first_due_at >= to_timestamp(${startedAt / 1_000})`,
  );
  const acceptedMs = new Map<string, number>();
  for (const { event, attemptId, at } of phones.lines) {
    const name = attemptId.slice(attemptId.indexOf('-') + 1);
    if (event === 'accepted' && !acceptedMs.has(name)) acceptedMs.set(name, Date.parse(at));
  }
  const delays = sorted(
    rows.map(({ sent, dueMs }) => ((acceptedMs.get(sent ?? '') ?? Number.POSITIVE_INFINITY) - dueMs) / 1_000),
  );
  const missing =
    Math.max(0, calls - delays.length) + delays.filter((delay) => !Number.isFinite(delay)).length;
  return {
    name: 'calls during the storm handed over after their time, p99',
    value: missing > 0 ? Number.POSITIVE_INFINITY : quantile(delays, 0.99),
    unit: 's',
    goal: { atMost: 5 },
    note: `${calls} calls, ${missing} not made; p50 ${quantile(delays, 0.5).toFixed(2)} s`,
  };
}
