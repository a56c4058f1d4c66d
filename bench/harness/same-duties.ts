import { eventBody } from './bodies.ts';
import { quoted } from './same-sums.ts';

const example = eventBody(7, 1);

/** JSON as a constant. pgbench takes a colon and a word for one of its variables, so colons are put in behind its back. */
const json = (value: unknown) =>
  `replace(${quoted(JSON.stringify(value).replaceAll(':', '~'))}, '~', chr(58))::jsonb`;

/** A plan and a state as long as the real ones for a call group of two. */
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
  turn: [],
  called: [],
  stepStartedMs: 1_800_000_000_000,
  cycleStartedMs: 1_800_000_000_000,
  passStartedMs: 1_800_000_000_000,
  passStep: 0,
  notBeforeMs: 1_800_000_000_000,
  used: {},
  dead: [],
  noticed: [],
};
const state = { openedMs: 1_800_000_000_000, closed: null, targets: [target] };

/** One alarm in five has somebody to call, two hours later. */
export const duties = (
  tenant: string,
  { tag, occurrence, rows }: { tag: string; occurrence: string; rows: string },
) => `
  insert into duties (tenant_id, occasion, tag_id, occurrence_id, station_id, priority, plan, state, opened_at,
    first_due_at, due_at)
  select ${tenant}, 'raised', ${tag}, ${occurrence}, 1, 2, ${json(plan)},
    ${json(state)}, clock_timestamp(), clock_timestamp() + interval '2 hours',
    clock_timestamp() + interval '2 hours'
  from ${rows} where ${tag} % 5 = 0`;
