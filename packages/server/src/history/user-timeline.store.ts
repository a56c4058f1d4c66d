import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type DayOfMonth, dayOf, dayText } from './calendar.ts';
import type { Timeline } from './timeline.ts';

/** Days count from 1970. */
type DayRow = { day: number; occurrences: number };

const dayMs = 86_400_000;

/** The timeline of what a user acknowledged. A user has a row a day, so all of them are read at once. */
export async function openUserTimeline(transaction: TenantTransaction, userId: number): Promise<Timeline> {
  const { tenantId } = transaction;
  const { rows } = await sql<DayRow>`
    select k.day - date '1970-01-01' as day, k.acknowledged as occurrences from user_days k where k.tenant_id = ${tenantId} and k.user_id = ${userId} and k.acknowledged > 0
      and k.day >= coalesce((select utc_day(starts_at) from history_starts where tenant_id = ${tenantId}), '-infinity')
    order by k.day`.execute(transaction.withoutPlugins());
  let sum = 0;
  const days = rows.map(({ day, occurrences }) => {
    const before = sum;
    sum += occurrences;
    return { day: dayOf(new Date(day * dayMs)), before, occurrences };
  });
  const isBefore = (one: DayOfMonth, other: DayOfMonth) => dayText(one) < dayText(other);
  return {
    total: async () => sum,
    before: async (day) => days.find((one) => !isBefore(one.day, day))?.before ?? sum,
    dayAt: async (position) =>
      position < 0 ? undefined : days.find((one) => one.before + one.occurrences > position),
  };
}
