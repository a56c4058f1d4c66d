import {
  alarmOccasions,
  approvalStates,
  callModes,
  callStatuses,
  commandStatuses,
  escalationOccasions,
  guidanceObjects,
  type Medium,
  mediumKinds,
  placeRules,
  type Roster,
  roles,
  soundRhythms,
  templateLanguages,
  templateMedia,
  twoPersonActions,
} from '@tocsin/contract';
import type {
  AlarmOccasion,
  AttemptOutcome,
  CallMode,
  Confirmation,
  MediumKind,
  NoticeKind,
  Occasion,
} from '@tocsin/domain';
import pg from 'pg';
import { expect, expectTypeOf, test } from 'vitest';
import type { NewCall } from '../calls/call.store.ts';
import type { ChannelOutcome } from '../channels/port/outcome.ts';
import type { CommandRecordKind, DueRun } from '../commands/command-run.store.ts';
import type { GuidanceRow } from '../guidance/guidance.store.ts';
import type { SecretPurpose } from '../identity/tokens/installation-secret.store.ts';
import type { MovedState } from '../setup/tenants/move/move.ts';
import { cloneDatabase } from '../testing/plant.fixture.ts';

/** The values of a union type: the compiler requires each of them, and no other. */
function valuesOf<Value extends string | number>(values: Record<Value, true>): string[] {
  return Object.keys(values);
}

/** By `table.column`, the TypeScript list that a check in the migrations repeats. */
const enumerations: Record<string, readonly string[]> = {
  'users.role': roles,
  'user_media.confirmed_by': valuesOf<Confirmation['by']>({ code: true, administrator: true }),
  'api_keys.role': roles,
  'installation_secrets.purpose': valuesOf<SecretPurpose>({ hub: true, answers: true, badges: true }),
  'approvals.action': twoPersonActions,
  'approvals.state': approvalStates.filter((state) => state !== 'Expired'),
  'call_groups.mode': callModes,
  'call_groups.slot_minutes': valuesOf<Roster['slotMinutes']>({ 15: true, 30: true, 60: true }),
  'calls.kind': valuesOf<NewCall['kind']>({ users: true, groups: true }),
  'escalations.occasion': [...escalationOccasions, 'notice'],
  'notices.kind': valuesOf<NoticeKind>({ test: true, code: true, reminder: true }),
  'call_attempts.status': callStatuses,
  'command_runs.kind': valuesOf<DueRun['kind']>({ execute: true, stop: true }),
  'command_runs.occasion': alarmOccasions,
  'command_runs.status': commandStatuses,
  'command_records.kind': valuesOf<CommandRecordKind>({ began: true, ended: true }),
  'console_sounds.sound': ['none', ...soundRhythms, 'file'],
  'channels.medium': mediumKinds,
  'message_templates.medium': templateMedia,
  'message_templates.language': templateLanguages,
  'guidance.object': guidanceObjects,
  'guidance.state': valuesOf<GuidanceRow['state']>({ current: true, replaced: true, deletion: true }),
  'site_plan_positions.object': placeRules,
  'moved_tenants.state': valuesOf<MovedState>({ arriving: true, moved: true }),
};

type Check = { column: string; definition: string };

/** Checks of the form `column in (…)`, which PostgreSQL stores as `column = any (array[…])`. */
async function readEnumeratedChecks(url: string): Promise<Check[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Check>(
      `select format('%s.%s', c.conrelid::regclass, a.attname) as "column", d.definition
       from pg_constraint c
       cross join lateral pg_get_constraintdef(c.oid) as d(definition)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
       where c.contype = 'c' and c.conislocal and c.connamespace = 'public'::regnamespace
         and d.definition like '%ANY (ARRAY[%'`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

function listedValues(definition: string): string[] {
  const [, list = ''] = /ANY \(ARRAY\[(.*)\]\)/.exec(definition) ?? [];
  return list.split(', ').map((item) => item.replace(/^'(.*)'::text$/, '$1'));
}

test('each enumerated check in the database lists the values of its TypeScript counterpart', async () => {
  const { url, drop } = await cloneDatabase();
  try {
    const checks = await readEnumeratedChecks(url);
    const inDatabase = checks.map(({ column, definition }) => [column, listedValues(definition).toSorted()]);
    const inCode = Object.entries(enumerations).map(([column, values]) => [column, values.toSorted()]);
    expect(Object.fromEntries(inDatabase)).toEqual(Object.fromEntries(inCode));
    expect(checks).toHaveLength(inCode.length);
  } finally {
    await drop();
  }
});

// The domain imports no other package, so it repeats these unions. The compiler compares them here.
test('the domain, the contract and the channels enumerate the same values', () => {
  expectTypeOf<MediumKind>().toEqualTypeOf<Medium['kind']>();
  expectTypeOf<CallMode>().toEqualTypeOf<(typeof callModes)[number]>();
  expectTypeOf<Occasion>().toEqualTypeOf<(typeof escalationOccasions)[number] | 'notice'>();
  expectTypeOf<AlarmOccasion>().toEqualTypeOf<(typeof alarmOccasions)[number]>();
  // A person's keys are carried out before their outcome is stored.
  type Reported = Exclude<ChannelOutcome['kind'], 'pressed'> | 'declined';
  expectTypeOf<AttemptOutcome['kind']>().toEqualTypeOf<Reported>();
});
