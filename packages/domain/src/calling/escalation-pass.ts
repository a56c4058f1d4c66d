import type { Medium } from './call-plan.ts';
import { reportOnce, type TargetContext } from './escalation-context.ts';
import type { CalledPerson } from './media-rules.ts';

/** Minimum time from the start of a cycle or pass to the start of the next one. */
export const paceMs = 15_000;
/** A target counts as exhausted only after so many tries, by two kinds of media where people have them. */
const minTries = 5;
const minMediumKinds = 2;
/** How soon to look again while everybody is quiet: rosters and rules may change before the quiet hours end. */
const quietPollMs = 60_000;

/** All stages have failed. A plan that needs an acknowledgment starts again; any other ends as missed. */
export function endPass(context: TargetContext): void {
  const { state, escalation, index } = context;
  const calledSomebody = state.step > state.passStep;
  if (!calledSomebody && context.quietUntilMs !== Number.POSITIVE_INFINITY) return waitForQuiet(context);
  if (escalation.plan.until === 'reached') {
    state.outcome = 'missed';
    reportOnce(context, {}, { kind: 'missed', target: index });
    return;
  }
  if (isExhausted(context))
    reportOnce(context, {}, { kind: 'exhausted', target: index, attempts: countTries(context) });
  startPass(context, (calledSomebody ? state.passStartedMs : escalation.nowMs) + paceMs);
}

/** Everybody who could be called is quiet. */
function waitForQuiet(context: TargetContext): void {
  startPass(context, quietWakeMs(context.quietUntilMs, context.escalation.nowMs));
}

/** When to look again for a person who is quiet. */
export function quietWakeMs(quietUntilMs: number, nowMs: number): number {
  return Math.min(quietUntilMs, nowMs + quietPollMs);
}

function startPass({ state, escalation }: TargetContext, notBeforeMs: number): void {
  state.notBeforeMs = notBeforeMs;
  state.passStartedMs = Math.max(notBeforeMs, escalation.nowMs);
  state.passStep = state.step;
  state.pass += 1;
  state.stage = 0;
}

/** Also true after a pass without anybody to call. */
function isExhausted(context: TargetContext): boolean {
  const { state, escalation } = context;
  if (state.step === state.passStep) return true;

  const userIds = new Set(state.usedMedia.map(({ userId }) => userId));
  const media = [...userIds].flatMap((userId) => orderedMedia(escalation.peopleOf(state).get(userId)));
  const usedKinds = new Set(state.usedMedia.map(({ kind }) => kind));
  const requiredKinds = Math.min(minMediumKinds, new Set(media.map(({ kind }) => kind)).size);
  return countTries(context) >= minTries && usedKinds.size >= requiredKinds;
}

function orderedMedia(person: CalledPerson | undefined): readonly Medium[] {
  if (!person) return [];
  return person.order.length > 0 ? person.order.map(({ medium }) => medium) : person.lastResort;
}

function countTries({ state }: TargetContext): number {
  return state.usedMedia.reduce((sum, { tries }) => sum + tries, 0);
}
