import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { OccurrenceDraft } from './alarm-record.ts';
import { digestOf } from './text.store.ts';

// The sums that histories are read from move in the very statements that move the occurrences.

/** Occurrences that start, all at the instant `now`. */
export async function insertOccurrences(
  { client, tenantId }: BareTransaction,
  drafts: readonly OccurrenceDraft[],
  now: Date,
): Promise<void> {
  if (drafts.length === 0) return;
  await client.query({
    name: 'insert-occurrences',
    text: insertText,
    values: [
      tenantId,
      JSON.stringify(drafts.map(flatDraft)),
      now.getUTCFullYear(),
      now.getUTCMonth(),
      now.getUTCDate(),
    ],
  });
}

const insertText = `
  with placed as (
    insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, acknowledged_at, ack_user_id, reset_at,
      repeats)
    select $1, o.id, o."raisedAt", o."tagId", o.priority, x.id, o."acknowledgedAt", o."ackUserId", o."resetAt",
      o."addedRepeats"
    from json_to_recordset($2) as o(id bigint, "raisedAt" timestamptz, "tagId" bigint, priority bigint, digest text,
      "acknowledgedAt" timestamptz, "ackUserId" bigint, "resetAt" timestamptz, "addedRepeats" integer)
    cross join lateral (select x.id from texts x
      where x.tenant_id = $1 and x.tag_id = o."tagId" and x.digest = o.digest limit 1) x
    returning *
  ), summed as (
    select tag_id, text_id, count(*)::integer as occurrences, sum(shown_seconds(raised_at, reset_at))::bigint as seconds
    from placed group by tag_id, text_id
  ), totals as (
    insert into text_totals as kept select $1, text_id, occurrences from summed
    on conflict (tenant_id, text_id) do update set occurrences = kept.occurrences + excluded.occurrences
  ), years as (
    insert into tag_years as kept select distinct $1::bigint, $3::integer, tag_id, 1 << $4::integer from summed
    on conflict (tenant_id, year, tag_id) do update set months = kept.months | excluded.months
    where kept.months & excluded.months = 0
  ), months as (
    insert into text_months as kept
    select $1, $3 * 12 + $4, tag_id, text_id, occurrences, seconds,
      array_fill(0, array[$5 - 1]) || occurrences || array_fill(0, array[31 - $5]),
      array_fill(0::bigint, array[$5 - 1]) || seconds || array_fill(0::bigint, array[31 - $5])
    from summed
    on conflict (tenant_id, month, tag_id, text_id) do update set
      occurrences = kept.occurrences + excluded.occurrences,
      seconds = kept.seconds + excluded.seconds,
      occurrences_on[$5] = kept.occurrences_on[$5] + excluded.occurrences,
      seconds_on[$5] = kept.seconds_on[$5] + excluded.seconds
  )
  insert into user_days as kept
  select $1, (raised_at at time zone 'UTC')::date, ack_user_id, count(*),
    count(*), sum(shown_seconds(raised_at, acknowledged_at)),
    count(reset_at), sum(shown_seconds(acknowledged_at, reset_at)), max(id)
  from placed where ack_user_id is not null group by 2, 3
  on conflict (tenant_id, day, user_id) do update set ${addedUserDay()}`;

/** Occurrences that were there before: acknowledged, reset, repeated or commented on. */
export async function updateOccurrences(
  { client, tenantId }: BareTransaction,
  drafts: readonly OccurrenceDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  await client.query({
    name: 'update-occurrences',
    text: updateText,
    values: [tenantId, JSON.stringify(drafts.map(flatDraft)), drafts.map(({ id }) => id)],
  });
}

const updateText = `
  with changes as materialized (
    select u.*, x.id as new_text_id, o.text_id as old_text_id, o.reset_at as old_reset_at,
      o.acknowledged_at as old_acknowledged_at
    from json_to_recordset($2) as u(id bigint, "raisedAt" timestamptz, "tagId" bigint, digest text,
      "acknowledgedAt" timestamptz, "ackUserId" bigint, "resetAt" timestamptz, "addedRepeats" integer)
    cross join lateral (select * from occurrences o
      where o.tenant_id = $1 and o.id = u.id and o.raised_at = u."raisedAt" limit 1) o
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
    returning o.*, u.old_text_id, u.old_reset_at, u.old_acknowledged_at
  ), moves as (
    select month_of(raised_at) as month, day_of_month(raised_at) as day, tag_id, text_id,
      case when text_id = old_text_id then 0 else 1 end as occurrences,
      shown_seconds(raised_at, reset_at)
        - case when text_id = old_text_id then shown_seconds(raised_at, old_reset_at) else 0 end as seconds
    from changed where text_id <> old_text_id or old_reset_at is distinct from reset_at
    union all
    select month_of(raised_at), day_of_month(raised_at), tag_id, old_text_id, -1, -shown_seconds(raised_at, old_reset_at)
    from changed where text_id <> old_text_id
  ), totals as (
    insert into text_totals as kept select $1, text_id, occurrences from moves where occurrences <> 0
    on conflict (tenant_id, text_id) do update set occurrences = kept.occurrences + excluded.occurrences
  ), months as (
    insert into text_months as kept
    select $1, month, tag_id, text_id, occurrences, seconds, on_day(day, occurrences), on_day(day, seconds) from moves
    on conflict (tenant_id, month, tag_id, text_id) do update set
      occurrences = kept.occurrences + excluded.occurrences,
      seconds = kept.seconds + excluded.seconds,
      occurrences_on = add_days(kept.occurrences_on::bigint[], excluded.occurrences_on::bigint[])::integer[],
      seconds_on = add_days(kept.seconds_on, excluded.seconds_on)
  ), answers as (
    select (raised_at at time zone 'UTC')::date as day, ack_user_id as user_id, id,
      old_acknowledged_at is null as taken,
      shown_seconds(raised_at, acknowledged_at) as reaction_seconds,
      reset_at >= acknowledged_at and (old_acknowledged_at is null or old_reset_at is null) as mended,
      shown_seconds(acknowledged_at, reset_at) as intervention_seconds
    from changed where acknowledged_at is not null
  )
  insert into user_days as kept
  select $1, day, user_id, count(*) filter (where taken), count(*) filter (where taken),
    coalesce(sum(reaction_seconds) filter (where taken), 0), count(*) filter (where mended),
    coalesce(sum(intervention_seconds) filter (where mended), 0), max(id)
  from answers where taken or mended group by day, user_id
  on conflict (tenant_id, day, user_id) do update set ${addedUserDay()}`;

function addedUserDay(): string {
  const sums = ['acknowledged', 'reactions', 'reaction_seconds', 'interventions', 'intervention_seconds'];
  const added = sums.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ');
  return `${added}, last_occurrence_id = greatest(kept.last_occurrence_id, excluded.last_occurrence_id)`;
}

function flatDraft({ started, text, ...draft }: OccurrenceDraft) {
  return { ...draft, ...started, ...(text && { digest: digestOf(text) }) };
}
