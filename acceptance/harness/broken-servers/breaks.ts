import type { Fault } from '../dispatch-chaos/fault-schedule.ts';
import type { SourcePatch } from './source-patch.ts';

/** A server with one rule broken, and what the checker must say of it. */
export type Break = {
  name: string;
  patches: readonly SourcePatch[];
  /** A function of the database that is changed likewise, once the server has made it. */
  functions?: readonly { name: string; text: string; by: string }[];
  found: RegExp;
  /** How long nobody acts on the alarms that are left; enough for most. */
  openSeconds?: number;
  /** Roles of the processes; by default one process that does everything. */
  roles?: readonly string[];
  faults?: readonly Fault[];
};

const closure = 'domain/src/escalation-closure.ts';
const duties = 'server/src/duties/duty.store.ts';
const people = 'domain/src/escalation-people.ts';
const keys = 'server/src/http/idempotency.store.ts';
const separate = ['api', 'dispatch', 'dispatch'];

export const breaks: readonly Break[] = [
  {
    name: 'an acknowledged alarm is called on',
    patches: [
      { file: duties, text: `c.kind <> 'woken' and d.occasion`, by: `c.kind = 'reset' and d.occasion` },
      {
        file: closure,
        text: `!isUnacknowledged(state)) return 'acknowledged'`,
        by: 'false) return undefined',
      },
    ],
    found: /^I6: attempt .* was made .* after it was/,
  },
  {
    name: 'a telephone that rings is not hung up when somebody has acted',
    patches: [
      {
        file: duties,
        text: 'update call_attempts a set hang_up_at = $3, late_race',
        by: 'update call_attempts a set hang_up_at = null, late_race',
      },
    ],
    found: /^I6: attempt .* rang for ever after nobody was needed/,
  },
  {
    name: 'a mask does not stop calls',
    patches: [
      { file: closure, text: `isMasked(state) ? 'masked' : undefined`, by: 'undefined' },
      {
        file: 'server/src/dispatch/delivery.store.ts',
        text: 'and a.mask_until > $4)',
        by: 'and a.mask_until > $4 and false)',
      },
    ],
    found: /^I6: attempt .* after it was masked/,
  },
  {
    name: 'after a mask nobody is called',
    patches: [
      {
        file: closure,
        text: `if (closed !== 'masked' || plan.occasion !== 'raised' || !alarm) return false;`,
        by: 'return false;',
      },
    ],
    found: /^I3: duty .* was closed as masked/,
  },
  {
    name: 'a mask does not end by itself',
    patches: [
      {
        file: 'server/src/alarms/expire-masks.ts',
        text: '): Promise<void> {\n',
        by: '): Promise<void> {\n  return;\n',
      },
    ],
    found: /^I4: duty .* was first asked for .* late/,
    openSeconds: 18,
  },
  {
    name: 'nobody is tried a second time',
    patches: [
      {
        file: 'domain/src/escalation-turn.ts',
        text: 'counted.length < stage.attempts',
        by: 'counted.length < 1',
      },
    ],
    found: /^I5: duty .* tried user \d+ 1 times of 2/,
  },
  {
    name: 'the escalation passes over every other person',
    patches: [
      {
        file: people,
        text: '.filter((userId) => !called.includes(userId));',
        by: '.filter((_, place) => place >= 2 * called.length);',
      },
    ],
    found: /^I5: duty .* called .* were next/,
  },
  {
    name: 'the roster is ignored',
    patches: [
      {
        file: people,
        text: 'stage.rostered ? (onDuty.get(stage.groupId) ?? stage.userIds) : stage.userIds',
        by: 'stage.userIds',
      },
    ],
    found: /^I13: duty .* who was not on duty/,
  },
  {
    name: 'those who relieve are not called',
    patches: [
      {
        file: 'domain/src/call-plan-relief.ts',
        text: 'id = groups.get(id)?.reliefGroupId ?? 0',
        by: 'id = 0',
      },
    ],
    found: /^I5: duty .* called .* were next/,
  },
  {
    name: 'those of last resort are not called',
    patches: [
      { file: 'domain/src/call-plan-freeze.ts', text: 'isRaise && fallbackGroupId > 0 ?', by: 'false ?' },
    ],
    found: /^I5: duty .* called .* were next/,
  },
  {
    name: 'who was called once is waited for for ever',
    patches: [
      {
        file: 'domain/src/escalation-target.ts',
        text: 'return state.stepStartedMs + Math.max(1, ackTimeoutSeconds) * 1000;',
        by: 'return never;',
      },
    ],
    found: /^I5: duty .* was left alone for/,
    openSeconds: 22,
  },
  {
    name: 'the first call comes half a minute late',
    patches: [
      {
        file: duties,
        text: '$3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay)\n',
        by: '$3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay + 30)\n',
      },
    ],
    found: /^I4: duty .* was first asked for .* late/,
    openSeconds: 14,
  },
  {
    name: 'a repeat calls people again',
    patches: [
      {
        file: 'domain/src/duty.ts',
        text: `return kind === 'acknowledged' ? ['acknowledged'] : [];`,
        by: `return kind === 'acknowledged' ? ['acknowledged'] : ['raised'];`,
      },
    ],
    found: /^I3: alarm .* has 2 duties/,
  },
  {
    name: 'nobody is told that everybody was tried',
    patches: [
      {
        file: 'server/src/duties/escalation-alarm.ts',
        text: `notice.kind === 'exhausted' && work.tagId !== null`,
        by: `notice.kind === 'exhausted' && Math.random() > 1`,
      },
    ],
    found: /^I5: nobody was told that duty .* is exhausted/,
    openSeconds: 28,
  },
  {
    name: 'what was claimed is dropped',
    patches: [
      {
        file: 'server/src/dispatch/dispatcher.ts',
        text: 'for (const one of outbound) send(one);',
        by: 'for (const one of outbound.slice(1)) send(one);',
      },
    ],
    found: /^I4: duty .* was first asked for .* late/,
    openSeconds: 14,
  },
  {
    name: 'two dispatchers take the same duty',
    patches: [],
    functions: [
      {
        name: 'take_duties',
        text: 'and (x.lease_until is null or x.lease_until <= at)\n          order by',
        by: 'order by',
      },
    ],
    found: /^I7: duty .* was claimed by .* while .* had it for another/,
    roles: separate,
  },
  {
    name: 'a dispatcher stores what came of an attempt that it has lost',
    patches: [
      {
        file: 'domain/src/delivery.ts',
        text: 'if (fence !== undefined && fence < attempt.fence)',
        by: 'if (Math.random() > 1)',
      },
    ],
    found: /^I7: attempt .* got ".*" from dispatcher .* is with/,
    roles: separate,
    faults: [
      {
        at: 1,
        seconds: 12.5,
        kind: 'company-fault',
        media: ['Voice', 'Sms'],
        faults: { hangAfterAccept: true, forgetful: true },
      },
      { at: 2, seconds: 12, kind: 'stop-dispatcher', process: 0 },
    ],
    openSeconds: 18,
  },
  {
    name: 'a call whose dispatcher died is never heard of again',
    patches: [
      {
        file: 'server/src/dispatch/lease.store.ts',
        text: `return take(outside, 'stray_attempts', wanted);`,
        by: 'return Promise.resolve([]);',
      },
    ],
    found: /^rest: attempt .* is still calling/,
    roles: separate,
    faults: [
      {
        at: 1,
        seconds: 6,
        kind: 'company-fault',
        media: ['Voice', 'Sms'],
        faults: { hangBeforeAccept: true },
      },
      { at: 3, seconds: 0, kind: 'kill-dispatcher', process: 0 },
      { at: 3, seconds: 0, kind: 'kill-dispatcher', process: 1 },
    ],
  },
  {
    name: 'a request that is sent again is carried out again',
    patches: [
      { file: keys, text: 'where k.tenant_id = $1`', by: 'where k.tenant_id = $1 and false`' },
      {
        file: keys,
        text: 'as a(principal, key, hash, body)`',
        by: 'as a(principal, key, hash, body) on conflict do nothing`',
      },
    ],
    found: /^I2: alarm .* was sent once and repeated/,
  },
  {
    name: 'any code takes an alarm',
    patches: [
      {
        file: 'server/src/dispatch/answer-judgement.ts',
        text: `return judgement === 'accepted' && !mayAct ? 'not-allowed' : judgement;`,
        by: `return 'accepted';`,
      },
    ],
    found: /^I9: alarm .* was taken by .* who gave no code/,
  },
  {
    name: 'an acknowledgment is not in the journal',
    patches: [
      {
        file: 'server/src/alarms/alarm-change.ts',
        text: 'record(batch, after, { kind: transition.kind,',
        by: `record(batch, after, { kind: transition.kind === 'acknowledged' ? 'commented' : transition.kind,`,
      },
    ],
    found: /^I11: the journal says 0 times that .* was acknowledged/,
  },
];
