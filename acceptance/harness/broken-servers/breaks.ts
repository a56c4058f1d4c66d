import type { Fault } from '../dispatch-chaos/fault-schedule.ts';
import type { SourcePatch } from './source-patch.ts';

/** A server with one rule broken, and the fault that the checker must find. */
export type Break = {
  name: string;
  patches: readonly SourcePatch[];
  /** Database functions to patch after the migration. */
  functions?: readonly { name: string; text: string; by: string }[];
  /** Statements that take away what the database guards. */
  statements?: readonly string[];
  found: RegExp;
  /** How long open alarms stay unacknowledged; the default is enough for most faults. */
  openSeconds?: number;
  /** Roles of the processes; by default one process that does everything. */
  roles?: readonly string[];
  faults?: readonly Fault[];
};

const closure = 'domain/src/calling/escalation-closure.ts';
const escalations = 'server/src/escalations/escalation-rows.store.ts';
const closing = 'server/src/escalations/closing.store.ts';
const people = 'domain/src/calling/escalation-people.ts';
const keys = 'server/src/http/idempotency.store.ts';
const separate = ['api', 'dispatch', 'dispatch'];

export const breaks: readonly Break[] = [
  {
    name: 'a phone is called during another call',
    patches: [
      {
        file: 'domain/src/calling/phone-line.ts',
        text: `const isBusy = medium?.kind === 'Voice' && taken.has(medium.address);`,
        by: 'const isBusy = false;',
      },
    ],
    statements: ['drop index call_attempts_live_calls'],
    found: /^I14: .* was called by .* during the call of/,
  },
  {
    name: 'calling goes on after an acknowledgment',
    patches: [
      { file: escalations, text: `c.kind <> 'woken' and d.occasion`, by: `c.kind = 'reset' and d.occasion` },
      {
        file: closure,
        text: `!isUnacknowledged(state)) return 'acknowledged'`,
        by: 'false) return undefined',
      },
    ],
    found: /^I6: attempt .* was made .* after it was/,
  },
  {
    name: 'ringing telephones are not hung up after an acknowledgment',
    patches: [
      {
        file: closing,
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
        file: 'server/src/dispatch/engine/delivery.store.ts',
        text: 'and a.mask_until > $4)',
        by: 'and a.mask_until > $4 and false)',
      },
    ],
    found: /^I6: attempt .* after it was masked/,
  },
  {
    name: 'nobody is called after a mask',
    patches: [
      {
        file: closure,
        text: `if (closed !== 'masked' || plan.occasion !== 'raised' || !alarm) return false;`,
        by: 'return false;',
      },
    ],
    found: /^I3: escalation .* was closed as masked/,
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
    found: /^I4: escalation .* was first asked for .* late/,
    openSeconds: 18,
  },
  {
    name: 'nobody is called a second time in a step',
    patches: [
      {
        file: 'domain/src/calling/escalation-person.ts',
        text: 'counted.length < stage.attempts',
        by: 'counted.length < 1',
      },
    ],
    found: /^I5: escalation .* tried user \d+ 1 times of 2/,
  },
  {
    name: 'the escalation skips every second person',
    patches: [
      {
        file: people,
        text: '.filter((userId) => !calledUserIds.includes(userId));',
        by: '.filter((_, place) => place >= 2 * calledUserIds.length);',
      },
    ],
    found: /^I5: escalation .* called .* were next/,
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
    found: /^I13: escalation .* who was not on duty/,
  },
  {
    name: 'relief groups are not called',
    patches: [
      {
        file: 'domain/src/calling/relief-chain.ts',
        text: 'id = groups.get(id)?.reliefGroupId ?? 0',
        by: 'id = 0',
      },
    ],
    found: /^I5: escalation .* called .* were next/,
  },
  {
    name: 'the fallback group is not called',
    patches: [
      {
        file: 'domain/src/calling/create-call-plan.ts',
        text: 'isRaise && fallbackGroupId > 0 ?',
        by: 'false ?',
      },
    ],
    found: /^I5: escalation .* called .* were next/,
  },
  {
    name: 'the escalation waits for ever for the first person',
    patches: [
      {
        file: 'domain/src/calling/escalation-target.ts',
        text: 'return state.stepStartedMs + Math.max(1, ackTimeoutSeconds) * 1000;',
        by: 'return never;',
      },
    ],
    found: /^I5: escalation .* was left alone for/,
    openSeconds: 22,
  },
  {
    name: 'the first call comes half a minute late',
    patches: [
      {
        file: escalations,
        text: '$3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay)\n',
        by: '$3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay + 30)\n',
      },
    ],
    found: /^I4: escalation .* was first asked for .* late/,
    openSeconds: 14,
  },
  {
    name: 'a repeat calls people again',
    patches: [
      {
        file: 'domain/src/calling/escalation-order.ts',
        text: `return kind === 'acknowledged' ? ['acknowledged'] : [];`,
        by: `return kind === 'acknowledged' ? ['acknowledged'] : ['raised'];`,
      },
    ],
    found: /^I3: alarm .* has 2 escalations/,
  },
  {
    name: 'an exhausted escalation raises no system alarm',
    patches: [
      {
        file: 'server/src/escalations/escalation-system-alarm.ts',
        text: `event.kind === 'exhausted' && work.tagId !== null`,
        by: `event.kind === 'exhausted' && Math.random() > 1`,
      },
    ],
    found: /^I5: no system alarm says that escalation .* is exhausted/,
    openSeconds: 28,
  },
  {
    name: 'claimed attempts are dropped',
    patches: [
      {
        file: 'server/src/dispatch/dispatcher.ts',
        text: 'for (const one of outbound) send(one);',
        by: 'for (const one of outbound.slice(1)) send(one);',
      },
    ],
    found: /^I4: escalation .* was first asked for .* late/,
    openSeconds: 14,
  },
  {
    name: 'two dispatchers claim the same escalation',
    // A pause between claim and result, without which the second claim seldom falls between them.
    patches: [
      {
        file: 'server/src/dispatch/engine/escalate-due.ts',
        text: '(outside) => claimEscalations(outside, wanted));',
        by: '(outside) => claimEscalations(outside, wanted));\n  await new Promise((resolve) => setTimeout(resolve, 300));',
      },
    ],
    functions: [
      {
        name: 'claim_escalations',
        text: 'and (x.lease_until is null or x.lease_until <= at)\n          order by',
        by: 'order by',
      },
    ],
    found: /^I7: escalation .* was claimed by .* while .* had it for another/,
    roles: separate,
  },
  {
    name: 'a dispatcher stores a result after it lost its lease',
    patches: [
      {
        file: 'domain/src/calling/delivery.ts',
        text: 'if (fencingToken !== undefined && fencingToken < attempt.fencingToken)',
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
    name: 'attempts of a dead dispatcher are never recovered',
    patches: [
      {
        file: 'server/src/dispatch/engine/lease.store.ts',
        text: `return claim(outside, 'claim_abandoned_attempts', wanted);`,
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
    name: 'a repeated request is executed again',
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
    name: 'any code acknowledges an alarm',
    patches: [
      {
        file: 'server/src/dispatch/answers/answer-judgement.ts',
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
        file: 'server/src/alarms/decide/alarm-change.ts',
        text: 'recordChange(batch, after, { kind: transition.kind,',
        by: `recordChange(batch, after, { kind: transition.kind === 'acknowledged' ? 'commented' : transition.kind,`,
      },
    ],
    found: /^I11: the journal says 0 times that .* was acknowledged/,
  },
];
