import { groupByMonth, withinMonth } from '../../postgres/month-bounds.ts';
import { rowSource } from '../../postgres/row-source.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { OccurrenceDraft } from '../decide/alarm-record.ts';
import { digestOf } from '../decide/text-digest.ts';

// The statements that change occurrences also update the totals that histories are read from.

/** An occurrence and the text that it refers to. */
export type TextOfOccurrence = { id: number; textId: number };

/** Inserts occurrences that all start at `now`. Returns a `TextOfOccurrence` for each draft without a `textId`. */
export function insertOccurrences(
  tenantId: number,
  drafts: readonly OccurrenceDraft[],
  now: Date,
): Statement {
  const isAnswered = drafts.some(({ ackUserId }) => ackUserId !== undefined);
  return {
    name: isAnswered ? 'insert-answered-occurrences' : 'insert-occurrences',
    text: isAnswered ? insertAnsweredText : insertText,
    values: [
      tenantId,
      now.getUTCFullYear(),
      now.getUTCMonth(),
      now.getUTCDate(),
      drafts.flatMap(({ id, textId }) => (textId === undefined ? id : [])),
      ...started.parameters(drafts),
    ],
  };
}

const started = rowSource<OccurrenceDraft>(
  [
    { name: 'id', type: 'bigint', of: ({ id }) => id },
    { name: 'raised_at', type: 'timestamptz', of: ({ raisedAt }) => raisedAt },
    { name: 'tag_id', type: 'bigint', of: ({ tagId }) => tagId },
    { name: 'priority', type: 'bigint', of: ({ started: start }) => start?.priority ?? null },
    { name: 'text_id', type: 'bigint', of: ({ textId }) => textId ?? null },
    { name: 'digest', type: 'text', of: ({ text, textId }) => (text && !textId ? digestOf(text) : null) },
    { name: 'acknowledged_at', type: 'timestamptz', of: ({ acknowledgedAt }) => acknowledgedAt ?? null },
    { name: 'ack_user_id', type: 'bigint', of: ({ ackUserId }) => ackUserId ?? null },
    { name: 'reset_at', type: 'timestamptz', of: ({ resetAt }) => resetAt ?? null },
    { name: 'repeats', type: 'integer', of: ({ addedRepeats }) => addedRepeats },
  ],
  6,
);

const insertParts = `
  with placed as (
    insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, acknowledged_at, ack_user_id, reset_at,
      repeats)
    select $1, r.id, r.raised_at, r.tag_id, r.priority,
      coalesce(r.text_id, (select x.id from texts x
        where x.tenant_id = $1 and x.tag_id = r.tag_id and x.digest = r.digest limit 1)),
      r.acknowledged_at, r.ack_user_id, r.reset_at, r.repeats
    from ${started.source}
    returning *
  ), summed as (
    select tag_id, text_id, count(*)::integer as occurrences, sum(whole_seconds_between(raised_at, reset_at))::bigint as seconds
    from placed group by tag_id, text_id
  ), totals as (
    insert into text_totals as kept select $1, text_id, occurrences from summed
    on conflict (tenant_id, text_id) do update set occurrences = kept.occurrences + excluded.occurrences
  ), years as (
    insert into tag_years as kept select distinct $1::bigint, $2::integer, tag_id, 1 << $3::integer from summed
    on conflict (tenant_id, year, tag_id) do update set months = kept.months | excluded.months
    where kept.months & excluded.months = 0
  ), months as (
    insert into text_months as kept
    select $1, $2 * 12 + $3, tag_id, text_id, occurrences, seconds,
      array_fill(0, array[$4 - 1]) || occurrences || array_fill(0, array[31 - $4]),
      array_fill(0::bigint, array[$4 - 1]) || seconds || array_fill(0::bigint, array[31 - $4])
    from summed
    on conflict (tenant_id, month, tag_id, text_id) do update set
      occurrences = kept.occurrences + excluded.occurrences,
      seconds = kept.seconds + excluded.seconds,
      occurrences_by_day[$4] = kept.occurrences_by_day[$4] + excluded.occurrences,
      seconds_by_day[$4] = kept.seconds_by_day[$4] + excluded.seconds
  )`;
const returnedTexts = 'select id, text_id as "textId" from placed where id = any ($5)';

// Two statements, because each additional part of one costs the database time even if it has no rows to write.
const insertText = `${insertParts} ${returnedTexts}`;
const insertAnsweredText = `${insertParts}, answered as (
    select hour_of(raised_at) as hour, ack_user_id as user_id, count(*) as acknowledged, count(*) as reactions,
      sum(whole_seconds_between(raised_at, acknowledged_at)) as reaction_seconds, count(reset_at) as interventions,
      sum(whole_seconds_between(acknowledged_at, reset_at)) as intervention_seconds, max(id) as last_occurrence_id
    from placed where ack_user_id is not null group by 1, 2
  ) ${addUserTotals()} ${returnedTexts}`;

/** Updates existing occurrences: acknowledged, reset, repeated or commented on. One statement for each month of raises. */
export function updateOccurrences(tenantId: number, drafts: readonly OccurrenceDraft[]): Statement[] {
  const months = groupByMonth(drafts, ({ raisedAt }) => raisedAt);
  return [...months].map(([month, ofMonth]) => ({
    name: `update-occurrences-${month}`,
    text: updateText(month),
    values: [tenantId, JSON.stringify(ofMonth.map(flatDraft)), ofMonth.map(({ id }) => id)],
  }));
}

/** Occurrences before the start of the histories are in no sum. */
const updateText = (month: string) => `
  with changes as materialized (
    select u.*, x.id as new_text_id, o.text_id as old_text_id, o.reset_at as old_reset_at,
      o.acknowledged_at as old_acknowledged_at
    from json_to_recordset($2) as u(id bigint, "raisedAt" timestamptz, "tagId" bigint, digest text,
      "acknowledgedAt" timestamptz, "ackUserId" bigint, "resetAt" timestamptz, "addedRepeats" integer)
    cross join lateral (select * from occurrences o
      where o.tenant_id = $1 and o.id = u.id and o.raised_at = u."raisedAt"
        and ${withinMonth('o.raised_at', month)} limit 1) o
    left join lateral (select x.id from texts x
      where x.tenant_id = $1 and x.tag_id = u."tagId" and x.digest = u.digest limit 1) x on true
  ), changed as (
    update occurrences o set
      acknowledged_at = coalesce(u."acknowledgedAt", o.acknowledged_at),
      ack_user_id = coalesce(u."ackUserId", o.ack_user_id),
      reset_at = coalesce(u."resetAt", o.reset_at),
      repeats = o.repeats + u."addedRepeats",
      text_id = coalesce(u.new_text_id, o.text_id)
    from changes u
    where o.tenant_id = $1 and o.id = u.id and o.raised_at = u."raisedAt" and o.id = any ($3)
      and ${withinMonth('o.raised_at', month)}
    returning o.*, u.old_text_id, u.old_reset_at, u.old_acknowledged_at
  ), counted as (
    select * from changed
    where raised_at >= coalesce((select s.starts_at from history_starts s where s.tenant_id = $1), '-infinity')
  ), moves as (
    select month_of(raised_at) as month, day_of_month(raised_at) as day, tag_id, text_id,
      case when text_id = old_text_id then 0 else 1 end as occurrences,
      whole_seconds_between(raised_at, reset_at)
        - case when text_id = old_text_id then whole_seconds_between(raised_at, old_reset_at) else 0 end as seconds
    from counted where text_id <> old_text_id or old_reset_at is distinct from reset_at
    union all
    select month_of(raised_at), day_of_month(raised_at), tag_id, old_text_id, -1, -whole_seconds_between(raised_at, old_reset_at)
    from counted where text_id <> old_text_id
  ), totals as (
    insert into text_totals as kept select $1, text_id, occurrences from moves where occurrences <> 0
    on conflict (tenant_id, text_id) do update set occurrences = kept.occurrences + excluded.occurrences
  ), months as (
    insert into text_months as kept
    select $1, month, tag_id, text_id, occurrences, seconds, daily_values(day, occurrences), daily_values(day, seconds) from moves
    on conflict (tenant_id, month, tag_id, text_id) do update set
      occurrences = kept.occurrences + excluded.occurrences,
      seconds = kept.seconds + excluded.seconds,
      occurrences_by_day = add_daily_values(kept.occurrences_by_day::bigint[], excluded.occurrences_by_day::bigint[])::integer[],
      seconds_by_day = add_daily_values(kept.seconds_by_day, excluded.seconds_by_day)
  ), answers as (
    select hour_of(raised_at) as hour, ack_user_id as user_id, id,
      old_acknowledged_at is null as taken,
      whole_seconds_between(raised_at, acknowledged_at) as reaction_seconds,
      reset_at >= acknowledged_at and (old_acknowledged_at is null or old_reset_at is null) as mended,
      whole_seconds_between(acknowledged_at, reset_at) as intervention_seconds
    from counted where acknowledged_at is not null
  ), answered as (
    select hour, user_id, count(*) filter (where taken) as acknowledged, count(*) filter (where taken) as reactions,
      coalesce(sum(reaction_seconds) filter (where taken), 0) as reaction_seconds,
      count(*) filter (where mended) as interventions,
      coalesce(sum(intervention_seconds) filter (where mended), 0) as intervention_seconds,
      max(id) as last_occurrence_id
    from answers where taken or mended group by hour, user_id
  ) ${addUserTotals()} select null`;

/** Adds the rows of `answered` to the hourly and daily totals of each user. */
function addUserTotals(): string {
  const sums = ['acknowledged', 'reactions', 'reaction_seconds', 'interventions', 'intervention_seconds'];
  const added = sums.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ');
  const moved = `${added}, last_occurrence_id = greatest(kept.last_occurrence_id, excluded.last_occurrence_id)`;
  const ofDay = sums.map((column) => `sum(${column})`).join(', ');
  return `, hours as (
    insert into user_hours as kept select $1, answered.* from answered
    on conflict (tenant_id, hour, user_id) do update set ${moved}
  ), days as (
    insert into user_days as kept
    select $1, (hour at time zone 'UTC')::date, user_id, ${ofDay}, max(last_occurrence_id) from answered group by 2, 3
    on conflict (tenant_id, day, user_id) do update set ${moved}
  )`;
}

function flatDraft({ started, text, ...draft }: OccurrenceDraft) {
  return { ...draft, ...started, ...(text && { digest: digestOf(text) }) };
}
