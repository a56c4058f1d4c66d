import { eventBody } from '../bodies.ts';
import { quoted } from './sum-statements.ts';

const example = eventBody(7, 1);

/** JSON as a constant. Colons are inserted by SQL, because pgbench reads `:word` as a variable. */
const json = (value: unknown) =>
  `replace(${quoted(JSON.stringify(value).replaceAll(':', '~'))}, '~', chr(58))::jsonb`;

/** A plan and a state of realistic size. */
const plan = {
  format: 1,
  occasion: 'raised',
  until: 'acknowledged',
  priority: 2,
  delaySeconds: 7_200,
  outlivesReset: true,
  targets: [
    {
      stages: [
        {
          groupId: 1,
          role: 'first',
          mode: 'Sequential',
          userIds: [1],
          rostered: true,
          ackTimeoutSeconds: 120,
          attempts: 3,
          cycles: 3,
        },
      ],
    },
  ],
  people: [{ userId: 1, name: 'Administrator', language: '', media: [] }],
  message: { text: example['alarmMessage'], shortText: '1007', number: 1_007, audio: '', file: '' },
};
const target = {
  outcome: 'open',
  stage: 0,
  cycle: 0,
  pass: 0,
  step: 0,
  stepUserIds: [],
  calledUserIds: [],
  stepStartedMs: 1_800_000_000_000,
  cycleStartedMs: 1_800_000_000_000,
  cycleHadWorkingChannel: false,
  passStartedMs: 1_800_000_000_000,
  passStep: 0,
  notBeforeMs: 1_800_000_000_000,
  usedMedia: [],
  reported: [],
};
const state = { openedMs: 1_800_000_000_000, closed: null, targets: [target] };

/** One alarm in five has an escalation, due two hours later. */
export const escalations = (
  tenant: string,
  { tag, occurrence, rows }: { tag: string; occurrence: string; rows: string },
) => `
  insert into escalations (tenant_id, occasion, tag_id, occurrence_id, station_id, priority, plan, state, opened_at,
    first_due_at, due_at)
  select ${tenant}, 'raised', ${tag}, ${occurrence}, 1, 2, ${json(plan)},
    ${json(state)}, clock_timestamp(), clock_timestamp() + interval '2 hours',
    clock_timestamp() + interval '2 hours'
  from ${rows} where ${tag} % 5 = 0`;
