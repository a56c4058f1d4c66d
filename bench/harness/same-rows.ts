/**
 * The rows that one raised alarm leaves behind, written by plain SQL: what the bare engine has to do to be compared
 * with. The share of new tags, the sizes of texts and the indexes are those of the real path. The sums that histories
 * are read from are not written: nobody who only wants alarms stored would.
 */
import { alarmBody } from './bodies.ts';

/** Who the journal says raised an alarm that the engine wrote alone. */
export const bareActor = 'PLC';

const example = alarmBody(7, 1);
const quoted = (text: unknown) => `'${String(text).replaceAll("'", "''")}'`;

const tagValues = (tenant: string, id: string, path: string) => `
  ${tenant}, ${id}, 1, 1, null, ${path}, ${path}, ${path}, 2, false, '', false, true, true, 7,
  'Pump tripped on high bearing temperature', ${quoted(example['alarmFormat'])}, '1007', '', '', '[]',
  ${quoted(example['resetMessage'])}, ${quoted(example['resetFormat'])}, '2007', '', '', '[]',
  ${quoted(example['ackMessage'])}, ${quoted(example['ackFormat'])}, '3007', '', '', '[]',
  '{}', '{}', ${path} || ' pump tripped on high bearing temperature'`;

const alarmValues = (tenant: string, tag: string, occurrence: string) => `
  ${tenant}, ${tag}, 3, '42', '{"zone": "Hall 3", "latitude": 48.107, "longitude": 2.3}', clock_timestamp(), clock_timestamp(),
  ${occurrence}, 0, '', '', '', null, null, null`;

const alarmUpdate = `on conflict (tenant_id, tag_id) do update set state = excluded.state, value = excluded.value,
  location = excluded.location, raised_at = excluded.raised_at, last_change = excluded.last_change,
  occurrence_id = excluded.occurrence_id, repeats = 0`;

const textValues = (tenant: string, { id, tag, path }: { id: string; tag: string; path: string }) =>
  `${tenant}, ${id}, ${tag}, 'a1b2c3d4e5f6g7h8i9j0k1', 'Pump tripped on high bearing temperature', '',
  ${path} || ' pump tripped', 1, 1, null, '{}'`;

const occurrenceValues = (tenant: string, id: string, tag: string) =>
  `${tenant}, ${id}, clock_timestamp(), ${tag}, 2, 1, null, null, null, 0`;

// pgbench takes a colon before a letter or digit for a variable of its own.
const alarmJson = `replace(${quoted(
  JSON.stringify({
    id: 4_711,
    dataServerId: 1,
    path: example['path'],
    fullPath: `DataServer\\${String(example['path'])}`,
    name: example['path'],
    localizedName: example['path'],
    value: '42',
    message: example['alarmMessage'],
    resetMessage: example['resetMessage'],
    ackMessage: example['ackMessage'],
    priority: 2,
    state: 3,
    masked: false,
    alarmTime: '2026-04-29T09:07:42+02:00',
    lastChange: '2026-04-29T07:07:42',
    ackUser: '',
    attachedFile: '',
    resetAttachedFile: '',
    ackAttachedFile: '',
    comment: '',
  }).replaceAll(':', '~'),
)}, '~', chr(58))::json`;
const journalValues = (
  tenant: string,
  { seq, tag, occurrence }: { seq: string; tag: string; occurrence: string },
) =>
  `${tenant}, ${seq}, clock_timestamp(), 'raised', ${tag}, ${occurrence}, 1, true, '${bareActor}', '', ${alarmJson}`;

/** `knownTags` of each tenant exist, numbered from 1. */
export type ScriptSize = { knownTags: number; knownPercent: number };

/** One alarm in one transaction, as pgbench runs it, in tenant 1 or in any of several; new tags get a path of their own. */
export function oneAlarmScript({
  knownTags,
  knownPercent,
  tenants,
}: ScriptSize & { tenants?: number }): string {
  const tenant = tenants === undefined ? '1' : ':tenant';
  const path = `'Bare/' || :client_id || '/' || :n`;
  const heads =
    'seq = seq + 1, occurrence_id = occurrence_id + 1, text_id = text_id + 1, last_at = clock_timestamp()';
  return `
\\set tenant random(1, ${tenants ?? 1})
\\set known random(1, 100)
\\set tag random(1, ${knownTags})
\\set n :n + 1
begin;
select set_config('tocsin.tenant', (${tenant})::text, true);
select t.*, a.* from tags t join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.tenant_id = ${tenant} and t.id = :tag;
\\if :known <= ${knownPercent}
update heads set ${heads} where tenant_id = ${tenant} returning seq, occurrence_id, text_id \\gset
\\else
update heads set ${heads}, tag_id = tag_id + 1 where tenant_id = ${tenant} returning seq, occurrence_id, text_id, tag_id as tag \\gset
insert into tags values (${tagValues(tenant, ':tag', path)});
\\endif
insert into alarms values (${alarmValues(tenant, ':tag', ':occurrence_id')}) ${alarmUpdate};
insert into texts values (${textValues(tenant, { id: ':text_id', tag: ':tag', path })}) on conflict do nothing;
insert into occurrences values (${occurrenceValues(tenant, ':occurrence_id', ':tag')});
insert into journal values (${journalValues(tenant, { seq: ':seq', tag: ':tag', occurrence: ':occurrence_id' })});
commit;
`;
}

/** A hundred alarms in multi-row statements of one transaction, from one connection, in tenant 1. */
export function hundredAlarmsScript({ knownTags, knownPercent }: ScriptSize): string {
  const fresh = 100 - knownPercent;
  const tag = `case when n <= ${fresh} then :tag_id + n else :base + n end`;
  const occurrence = ':occurrence_id + n';
  return `
\\set base random(1, ${Math.max(1, knownTags - 100)})
begin;
select set_config('tocsin.tenant', '1', true);
update heads set seq = seq + 100, occurrence_id = occurrence_id + 100, text_id = text_id + 100, tag_id = tag_id + ${fresh}, last_at = clock_timestamp() where tenant_id = 1 returning seq - 100 as seq, occurrence_id - 100 as occurrence_id, text_id - 100 as text_id, tag_id - ${fresh} as tag_id \\gset
select t.*, a.* from tags t join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.tenant_id = 1 and t.id between :base and :base + ${knownPercent};
insert into tags select ${tagValues('1', ':tag_id + n', `'Batch/' || (:tag_id + n)`)} from generate_series(1, ${fresh}) n;
insert into alarms select ${alarmValues('1', tag, occurrence)} from generate_series(1, 100) n ${alarmUpdate};
insert into texts select ${textValues('1', { id: ':text_id + n', tag, path: `'Batch/' || n` })} from generate_series(1, 100) n on conflict do nothing;
insert into occurrences select ${occurrenceValues('1', occurrence, tag)} from generate_series(1, 100) n;
insert into journal select ${journalValues('1', { seq: ':seq + n', tag, occurrence })} from generate_series(1, 100) n;
commit;
`;
}
