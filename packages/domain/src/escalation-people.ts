import type { Person, Stage } from './call-plan.ts';
import type { Facts, TargetState } from './escalation-state.ts';

/** Who of a stage is to be called, in order, and who should be but cannot. */
export type Callable = { people: Person[]; withoutMedium: number[] };

export function callableOf(
  stage: Stage,
  { onDuty, rotation }: Pick<Facts, 'onDuty' | 'rotation'>,
  people: ReadonlyMap<number, Person>,
): Callable {
  const ids = stage.rostered ? (onDuty.get(stage.groupId) ?? stage.userIds) : stage.userIds;
  const known = [...new Set(ids)].flatMap((userId) => people.get(userId) ?? []);
  const reachable = known.filter(({ media }) => media.length > 0);
  return {
    people: stage.mode === 'Turnover' ? rotate(reachable, rotation.get(stage.groupId) ?? 0) : reachable,
    withoutMedium: known.filter(({ media }) => media.length === 0).map(({ userId }) => userId),
  };
}

/** Whose turn is next in this cycle; nobody when all have had theirs. */
export function nextTurn(stage: Stage, { people }: Callable, { called }: TargetState): number[] {
  const waiting = people.map(({ userId }) => userId).filter((userId) => !called.includes(userId));
  return stage.mode === 'Broadcast' ? waiting : waiting.slice(0, 1);
}

function rotate(people: readonly Person[], by: number): Person[] {
  const start = people.length === 0 ? 0 : by % people.length;
  return [...people.slice(start), ...people.slice(0, start)];
}
