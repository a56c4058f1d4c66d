import type { Stage } from './call-plan.ts';
import { longestAttemptSeconds, startedMs } from './delivery.ts';
import { beginStep } from './escalation-step.ts';
import { mediumKey, moveOf, type TurnMove } from './escalation-turn.ts';
import { stageOf, type Walk } from './escalation-walk.ts';

const never = Number.POSITIVE_INFINITY;
const otherTargetMs = 15_000;
const none: ReadonlySet<never> = new Set();

/**
 * Ends the steps that are over, begins the next ones and drafts the calls. Answers when to look again, in epoch
 * milliseconds. A step that has just begun is never over, so this ends.
 */
export function walkOn(walk: Walk): number {
  const { state, scene } = walk;
  while (state.outcome === 'open') {
    if (state.turn.length === 0 && !beginStep(walk))
      return state.outcome === 'open' ? state.notBeforeMs : never;
    const wakeMs = workStep(walk);
    if (wakeMs > scene.nowMs) return wakeMs;
    state.cycleGotOut ||= gotOut(walk);
    state.turn = [];
  }
  return never;
}

/** Whether a try of the step that ends can have got to somebody. */
function gotOut({ scene, index, state }: Walk): boolean {
  return state.turn.some((userId) =>
    scene.triesOf(index, state.step, userId).some(({ channelFault }) => !channelFault),
  );
}

/** Does what is due in the running step. Answers when to look again; a time that has come says: it is over. */
function workStep(walk: Walk): number {
  const { state, scene } = walk;
  const stage = stageOf(walk);
  if (!stage) return scene.nowMs;
  const endMs = stepEndMs(walk, stage);
  if (endMs <= scene.nowMs) return endMs;

  const moves = state.turn.map((userId) => [userId, personMove(walk, stage, userId)] as const);
  if (
    isOver(
      walk,
      moves.map(([, move]) => move),
    )
  )
    return scene.nowMs;
  const waits = moves.map(([userId, move]) => carryOut(walk, { stage, userId, move }));
  return Math.min(endMs, ...waits);
}

function stepEndMs({ scene, state }: Walk, { ackTimeoutSeconds }: Stage): number {
  if (scene.plan.until === 'reached') return never;
  return state.stepStartedMs + Math.max(1, ackTimeoutSeconds) * 1000;
}

function personMove(walk: Walk, stage: Stage, userId: number): TurnMove {
  const { scene, index, state } = walk;
  const person = scene.people.get(userId);
  if (!person) return { kind: 'spent' };
  const freeMs = freeFromMs(walk, userId);
  if (freeMs > scene.nowMs) return { kind: 'wait', untilMs: freeMs };

  const tries = scene.triesOf(index, state.step, userId);
  for (const { permanent, medium } of tries) {
    const key = mediumKey(userId, medium);
    if (permanent && !state.dead.includes(key)) state.dead.push(key);
  }
  const running = scene.runningOf(userId);
  const { plan, facts, nowMs } = scene;
  return moveOf(
    {
      until: plan.until,
      stage,
      person,
      tries,
      running,
      state,
      routes: facts.routes,
      down: facts.down ?? none,
    },
    nowMs,
  );
}

/** Two targets that name the same person do not call at the same moment. */
function freeFromMs({ scene, index }: Walk, userId: number): number {
  if (scene.busy.has(userId)) return scene.nowMs + otherTargetMs;
  const others = scene.runningOf(userId).filter(({ target }) => target !== index);
  return Math.max(0, ...others.map((other) => startedMs(other) + otherTargetMs));
}

/**
 * With an acknowledgment to wait for, a step ends early only when nobody of it can have been reached. Without, one
 * person reached is enough, and in a broadcast each counts.
 */
function isOver(walk: Walk, moves: readonly TurnMove[]): boolean {
  const { scene, state } = walk;
  if (scene.plan.until === 'acknowledged') return moves.every(({ kind }) => kind === 'spent');
  if (!moves.every(({ kind }) => kind === 'spent' || kind === 'reached')) return false;
  if (moves.every(({ kind }) => kind === 'reached')) state.outcome = 'reached';
  else if (moves.some(({ kind }) => kind === 'reached')) {
    state.outcome = 'missed';
    walk.notices.push({ kind: 'missed', target: walk.index });
  }
  return true;
}

function carryOut(
  { scene, state, index, drafts }: Walk,
  { stage, userId, move }: { stage: Stage; userId: number; move: TurnMove },
): number {
  if (move.kind === 'wait') return move.untilMs;
  if (move.kind !== 'call') return never;

  const { medium, avoidChannels } = move;
  const key = mediumKey(userId, medium);
  state.used[key] = (state.used[key] ?? 0) + 1;
  scene.busy.add(userId);
  const tries = scene.triesOf(index, state.step, userId).length;
  const { groupId } = stage;
  drafts.push({ target: index, groupId, step: state.step, try: tries + 1, userId, medium, avoidChannels });
  return scene.nowMs + longestAttemptSeconds * 1000;
}
