/**
 * The rows of a raised alarm in plain SQL, as the reference for the server. Share of new tags, sizes of texts, indexes and
 * sums are those of the server, and a fifth of the alarms have an escalation. Nothing is read or decided: every alarm is a
 * new occurrence of its tag.
 */
import { eventBody } from '../bodies.ts';
import { escalations } from './escalation-statements.ts';
import { alarmJson, occurrenceSums, quoted } from './sum-statements.ts';

/** Actor in the journal of the alarms written by plain SQL. */
const bareActor = 'PLC';

const example = eventBody(7, 1);

const tagValues = (tenant: string, id: string, path: string) => `
  ${tenant}, ${id}, 1, 1, null, ${path}, ${path}, ${path}, 2, false, '', true, true, true, 7,
  ${quoted(example['alarmMessage'])}, ${quoted(example['alarmFormat'])}, '1007', '', '', '[]',
  ${quoted(example['resetMessage'])}, ${quoted(example['resetFormat'])}, '2007', '', '', '[]',
  ${quoted(example['ackMessage'])}, ${quoted(example['ackFormat'])}, '3007', '', '', '[]',
  '{}', '{}', ${path} || ' pump tripped on high bearing temperature'`;

const alarmValues = (tenant: string, tag: string, occurrence: string) => `
  ${tenant}, ${tag}, 2, '42', '{"zone": "Hall 3", "latitude": 48.107, "longitude": 2.3}', clock_timestamp(), clock_timestamp(),
  ${occurrence}, 0, '', '', '', null, null, null`;

const alarmUpdate = `on conflict (tenant_id, tag_id) do update set state = excluded.state, value = excluded.value,
  location = excluded.location, raised_at = excluded.raised_at, last_change = excluded.last_change,
  occurrence_id = excluded.occurrence_id, repeats = 0`;

const textValues = (tenant: string, { id, tag, path }: { id: string; tag: string; path: string }) =>
  `${tenant}, ${id}, ${tag}, 'a1b2c3d4e5f6g7h8i9j0k1', ${quoted(example['alarmMessage'])}, '',
  ${path} || ' pump tripped on high bearing temperature', 1, 1, null, '{}'`;

const occurrenceValues = (tenant: string, { id, tag, text }: { id: string; tag: string; text: string }) =>
  `${tenant}, ${id}, clock_timestamp(), ${tag}, 2, ${text}, null, null, clock_timestamp(), 0`;

const journalValues = (
  tenant: string,
  { seq, tag, occurrence }: { seq: string; tag: string; occurrence: string },
) =>
  `${tenant}, ${seq}, clock_timestamp(), 'raised', ${tag}, ${occurrence}, 1, true, '${bareActor}', '', ${alarmJson(example)}`;

/** `knownTags` of each tenant exist, numbered from 1, and each has a text. */
export type ScriptSize = { knownTags: number; knownPercent: number };

/**
 * One alarm in one transaction and one round trip, as pgbench runs it, in tenant 1 or in any of several, evenly or by
 * Zipf's law with the exponent `zipf`; new tags get a path of their own. Clients queue for an advisory lock instead of the row of the tenant counters, because waiting at the row costs two to
 * three times as much: each client would read all row versions of the others.
 */
export function oneAlarmScript({
  knownTags,
  knownPercent,
  tenants,
  zipf,
}: ScriptSize & { tenants?: number; zipf?: number }): string {
  const tenant = tenants === undefined ? '1' : ':tenant';
  return `
\\set tenant ${zipf === undefined ? `random(1, ${tenants ?? 1})` : `random_zipfian(1, ${tenants ?? 1}, ${zipf})`}
\\set known random(1, 100)
\\set tag random(1, ${knownTags})
\\set n :n + 1
\\startpipeline
begin;
select set_config('tocsin.tenant', (${tenant})::text, true), pg_advisory_xact_lock(${tenant});
\\if :known <= ${knownPercent}
${knownAlarm(tenant)};
\\else
${newAlarm(tenant)};
\\endif
commit;
\\endpipeline
`;
}

const advancedCounters = 'seq = seq + 1, occurrence_id = occurrence_id + 1, last_at = clock_timestamp()';

function knownAlarm(tenant: string): string {
  return `with numbered as (
  update tenant_counters set ${advancedCounters} where tenant_id = ${tenant} returning seq, occurrence_id, :tag::bigint as tag_id,
    (select x.id from texts x where x.tenant_id = ${tenant} and x.tag_id = :tag limit 1) as text_id
), ${alarmParts(tenant)}`;
}

function newAlarm(tenant: string): string {
  const path = `'Bare/' || :client_id || '/' || :n`;
  return `with numbered as (
  update tenant_counters set ${advancedCounters}, tag_id = tag_id + 1, text_id = text_id + 1 where tenant_id = ${tenant}
  returning seq, occurrence_id, tag_id, text_id
), tagged as (
  insert into tags select ${tagValues(tenant, 'tag_id', path)} from numbered
), worded as (
  insert into texts select ${textValues(tenant, { id: 'text_id', tag: 'tag_id', path })} from numbered
), ${alarmParts(tenant)}`;
}

function alarmParts(tenant: string): string {
  const { totals, years, months } = occurrenceSums(tenant, {
    tag: 'tag_id',
    text: 'text_id',
    rows: 'numbered',
  });
  return `current_alarm as (
  insert into alarms select ${alarmValues(tenant, 'tag_id', 'occurrence_id')} from numbered ${alarmUpdate}
), occurred as (
  insert into occurrences
  select ${occurrenceValues(tenant, { id: 'occurrence_id', tag: 'tag_id', text: 'text_id' })} from numbered
), totals as (${totals}), years as (${years}), months as (${months}),
called as (${escalations(tenant, { tag: 'tag_id', occurrence: 'occurrence_id', rows: 'numbered' })})
insert into journal select ${journalValues(tenant, { seq: 'seq', tag: 'tag_id', occurrence: 'occurrence_id' })} from numbered`;
}

/** A hundred alarms in multi-row statements of one transaction, from one connection, in tenant 1. */
export function hundredAlarmsScript({ knownTags, knownPercent }: ScriptSize): string {
  const fresh = 100 - knownPercent;
  // Distinct known tags over the whole table: the step 37 is coprime with round numbers.
  const places = `case when n <= ${fresh} then :tag_id + n else 1 + (:base + n * 37) % ${knownTags} end`;
  // `offset 0` computes the ids first, because row-level security uses no index for expressions that can fail.
  const numbered = `(select n, (${places})::bigint as tag_id from generate_series(1, 100) n offset 0) numbered`;
  const tag = 'numbered.tag_id';
  const worded = `${numbered} cross join lateral (select x.id as text_id from texts x
    where x.tenant_id = 1 and x.tag_id = ${tag} limit 1) x`;
  const { totals, years, months } = occurrenceSums('1', { tag, text: 'text_id', rows: worded });
  const occurrence = ':occurrence_id + n';
  return `
\\set base random(1, ${knownTags})
begin;
select set_config('tocsin.tenant', '1', true);
update tenant_counters set seq = seq + 100, occurrence_id = occurrence_id + 100, text_id = text_id + ${fresh}, tag_id = tag_id + ${fresh}, last_at = clock_timestamp() where tenant_id = 1 returning seq - 100 as seq, occurrence_id - 100 as occurrence_id, text_id - ${fresh} as text_id, tag_id - ${fresh} as tag_id \\gset
insert into tags select ${tagValues('1', ':tag_id + n', `'Batch/' || (:tag_id + n)`)} from generate_series(1, ${fresh}) n;
insert into texts select ${textValues('1', { id: ':text_id + n', tag: ':tag_id + n', path: `'Batch/' || n` })} from generate_series(1, ${fresh}) n;
insert into alarms select ${alarmValues('1', tag, occurrence)} from ${numbered} ${alarmUpdate};
insert into occurrences select ${occurrenceValues('1', { id: occurrence, tag, text: 'text_id' })} from ${worded};
${totals};
${years};
${months};
${escalations('1', { tag, occurrence, rows: numbered })};
insert into journal select ${journalValues('1', { seq: ':seq + n', tag, occurrence })} from ${numbered};
commit;
`;
}
