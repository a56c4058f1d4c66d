import type { Stage } from './call-plan.ts';
import { type Attempt, type AttemptStatus, retrySecondsAfter } from './delivery.ts';
import { callableOf, nextTurn } from './escalation-people.ts';
import { forgetNotice, noticeOnce, stageOf, type Walk } from './escalation-walk.ts';

/** No cycle and no pass begins sooner after the one before. */
const paceMs = 15_000;
/** Nobody says that everybody was tried before so many tries, by two kinds of media where people have them. */
const fewestTries = 5;
const fewestKinds = 2;

/**
 * Gives the next people their turn, going on to the next cycle, to the relief groups, to the fallback group, and to
 * the start again. False when there is a pause until `notBeforeMs`, or when the target has ended.
 */
export function beginStep(walk: Walk): boolean {
  const { state, scene } = walk;
  while (state.outcome === 'open' && state.notBeforeMs <= scene.nowMs) {
    const stage = stageOf(walk);
    const turn = stage ? turnOf(walk, stage) : [];
    if (turn.length > 0) {
      state.notBeforeMs = Math.max(state.notBeforeMs, restedMs(walk, turn));
      if (state.notBeforeMs > scene.nowMs) return false;
      startTurn(walk, turn);
      return true;
    }
    if (stage && mayRepeat(walk, stage)) startCycle(walk);
    else leaveStage(walk);
  }
  return false;
}

function turnOf(walk: Walk, stage: Stage): number[] {
  const { scene, index, state } = walk;
  const { groupId } = stage;
  const callable = callableOf(stage, scene.facts, scene.people);
  for (const { userId, why } of callable.unreachable)
    if (why !== 'disabled')
      noticeOnce(walk, `${why}:${userId}`, { kind: why, target: index, groupId, userId });
  const { cause, unreachable } = callable;
  if (cause === undefined) {
    forgetNotice(walk, `nobody-on-duty:${state.stage}`);
    return nextTurn(stage, callable, state);
  }
  const wholeGroup = hasNobody(walk);
  const notice = { kind: 'nobody-on-duty', target: index, groupId, cause, unreachable, wholeGroup } as const;
  noticeOnce(walk, `nobody-on-duty:${state.stage}`, notice);
  if (!wholeGroup) return nextTurn(stage, callable, state);
  const everybody = callableOf({ ...stage, rostered: false }, scene.facts, scene.people);
  return nextTurn(stage, everybody, state);
}

/** Nobody who is on duty can be reached in any group that an alarm could call: then duty rosters do not count. */
function hasNobody({ scene, target }: Walk): boolean {
  if (scene.plan.until !== 'acknowledged') return false;
  return target.stages.every((stage) => callableOf(stage, scene.facts, scene.people).cause !== undefined);
}

/** Tries after which it is certain that the person knows nothing. */
const failing: readonly AttemptStatus[] = ['busy', 'noAnswer', 'refused', 'failed'];

/**
 * From when on people may have their turn who had the last one too: not in the very second in which their last try
 * failed. One among them who was not tried just now keeps everybody from waiting.
 */
function restedMs({ scene, index, state }: Walk, turn: readonly number[]): number {
  const rested = turn.map((userId) => {
    const tries = scene.triesOf(index, state.step, userId);
    const failed = tries.filter(({ status, channelFault }) => failing.includes(status) && !channelFault);
    return failed.length === 0 ? 0 : Math.max(...failed.map(endedMs)) + retrySecondsAfter(1) * 1000;
  });
  return rested.includes(0) ? 0 : Math.max(...rested);
}

function endedMs({ endedAt, createdAt }: Attempt): number {
  return (endedAt ?? createdAt).getTime();
}

function startTurn({ state, scene }: Walk, turn: readonly number[]): void {
  if (state.called.length === 0) {
    state.cycleStartedMs = scene.nowMs;
    state.cycleGotOut = false;
  }
  state.turn = [...turn];
  state.called.push(...turn);
  state.step += 1;
  state.stepStartedMs = scene.nowMs;
}

/**
 * People who only have to know are asked once each; those who have to act, again and again. Where no channel has worked
 * for anybody, those who stand in are tried before the pause.
 */
function mayRepeat({ scene, state, target }: Walk, { cycles }: Stage): boolean {
  if (state.cycleGotOut === false && state.stage + 1 < target.stages.length) return false;
  return scene.plan.until === 'acknowledged' && state.called.length > 0 && state.cycle + 1 < cycles;
}

function startCycle({ state }: Walk): void {
  state.cycle += 1;
  state.called = [];
  state.notBeforeMs = state.cycleStartedMs + paceMs;
}

function leaveStage(walk: Walk): void {
  const { state, target, index } = walk;
  state.cycle = 0;
  state.called = [];
  if (state.stage + 1 >= target.stages.length) return endPass(walk);

  state.stage += 1;
  const stage = stageOf(walk);
  if (!stage || stage.role === 'first') return;
  const { groupId, role } = stage;
  noticeOnce(walk, `stands-in:${state.stage}`, { kind: 'stands-in', target: index, groupId, role });
}

/** All stages failed: those who only had to know were missed; for all others it starts again, for ever. */
function endPass(walk: Walk): void {
  const { state, scene, index } = walk;
  if (scene.plan.until === 'reached') {
    state.outcome = 'missed';
    noticeOnce(walk, 'missed', { kind: 'missed', target: index });
    return;
  }
  if (isExhausted(walk)) {
    const attempts = triesMade(walk);
    noticeOnce(walk, 'exhausted', { kind: 'exhausted', target: index, attempts });
  }
  const calledSomebody = state.step > state.passStep;
  state.notBeforeMs = (calledSomebody ? state.passStartedMs : scene.nowMs) + paceMs;
  state.passStartedMs = Math.max(state.notBeforeMs, scene.nowMs);
  state.passStep = state.step;
  state.pass += 1;
  state.stage = 0;
}

/** A pass in which there was nobody to call has exhausted what there is. */
function isExhausted(walk: Walk): boolean {
  const { state, scene } = walk;
  if (state.step === state.passStep) return true;

  const keys = Object.keys(state.used);
  const userIds = new Set(keys.map((key) => Number(key.split(':')[0])));
  const media = [...userIds].flatMap((userId) => scene.people.get(userId)?.media ?? []);
  const usedKinds = new Set(keys.map((key) => key.split(':')[1]));
  const kinds = Math.min(fewestKinds, new Set(media.map(({ kind }) => kind)).size);
  return triesMade(walk) >= fewestTries && usedKinds.size >= kinds;
}

function triesMade({ state }: Walk): number {
  return Object.values(state.used).reduce((sum, tries) => sum + tries, 0);
}
