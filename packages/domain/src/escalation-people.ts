import type { Person, Stage } from './call-plan.ts';
import type { Facts, Nobody, TargetState, Unreachable } from './escalation-state.ts';

/** Who of a stage is to be called, in order, and who should be but cannot. */
export type Callable = {
  /** Those whom no channel serves are tried all the same: a channel may come. */
  people: Person[];
  unreachable: Unreachable[];
  /** Why nobody can be reached; undefined where somebody can. */
  cause: Nobody['cause'] | undefined;
};

type Members = Pick<Stage, 'groupId' | 'rostered' | 'userIds' | 'mode'>;
type Means = Pick<Facts, 'onDuty' | 'rotation' | 'routes'>;

export function callableOf(
  stage: Members,
  { onDuty, rotation, routes }: Means,
  people: ReadonlyMap<number, Person>,
): Callable {
  const ids = stage.rostered ? (onDuty.get(stage.groupId) ?? stage.userIds) : stage.userIds;
  const wanted = [...new Set(ids)];
  const unreachable = wanted.flatMap((userId) => whyUnreachable(userId, people.get(userId), routes));
  const tried = wanted.flatMap((id) => people.get(id) ?? []).filter(({ media }) => media.length > 0);
  return {
    people: stage.mode === 'Turnover' ? rotate(tried, rotation.get(stage.groupId) ?? 0) : tried,
    unreachable,
    cause: unreachable.length < wanted.length ? undefined : causeOf(stage, wanted),
  };
}

function whyUnreachable(userId: number, person: Person | undefined, routes: Facts['routes']): Unreachable[] {
  if (!person) return [{ userId, why: 'disabled' }];
  if (person.media.length === 0) return [{ userId, why: 'no-medium' }];
  const isServed = routes === undefined || person.media.some(({ kind }) => routes.has(kind));
  return isServed ? [] : [{ userId, why: 'no-channel' }];
}

function causeOf({ userIds }: Members, wanted: readonly number[]): Nobody['cause'] {
  if (wanted.length > 0) return 'unreachable';
  return userIds.length > 0 ? 'off-duty' : 'empty';
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
