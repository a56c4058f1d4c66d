import type { CallPlan, Person, Stage } from './call-plan.ts';
import type { Facts, NobodyToCall, TargetState, UnreachableUser } from './escalation-state.ts';
import { isReachable } from './last-resort.ts';

/** `quietUntilMs` is set for people who can be reached, but not before that time. */
export type CallablePerson = Person & { quietUntilMs?: number };

export type CallablePeople = {
  /** In calling order. People without a working channel are included: one may be added or recover. */
  people: CallablePerson[];
  /** People who should be called but cannot be reached. */
  unreachable: UnreachableUser[];
  /** Why nobody can be reached; undefined if somebody can. */
  cause: NobodyToCall['cause'] | undefined;
};

type Members = Pick<Stage, 'groupId' | 'rostered' | 'userIds' | 'mode'>;

export function callablePeople(
  stage: Members,
  { onDuty, rotation, routes }: Pick<Facts, 'onDuty' | 'rotation' | 'routes'>,
  people: { get(userId: number): CallablePerson | undefined },
): CallablePeople {
  const ids = stage.rostered ? (onDuty.get(stage.groupId) ?? stage.userIds) : stage.userIds;
  const userIds = [...new Set(ids)];
  const unreachable = userIds.flatMap((userId) => findObstacle(userId, people.get(userId), routes));
  const withMedia = userIds.flatMap((id) => people.get(id) ?? []).filter(({ media }) => media.length > 0);
  return {
    people: stage.mode === 'Turnover' ? rotate(withMedia, rotation.get(stage.groupId) ?? 0) : withMedia,
    unreachable,
    cause: unreachable.length < userIds.length ? undefined : causeOf(stage, userIds),
  };
}

function findObstacle(
  userId: number,
  person: Person | undefined,
  routes: Facts['routes'],
): UnreachableUser[] {
  if (!person) return [{ userId, why: 'disabled' }];
  if (isReachable(person, routes)) return [];
  if (person.media.length > 0) return [{ userId, why: 'no-channel' }];
  return [{ userId, why: person.unconfirmed?.length ? 'unconfirmed' : 'no-medium' }];
}

function causeOf(stage: Members, onDutyIds: readonly number[]): NobodyToCall['cause'] {
  if (onDutyIds.length > 0) return 'unreachable';
  return stage.userIds.length > 0 ? 'off-duty' : 'empty';
}

/**
 * The people of the next step in this cycle; empty when all have been called. Quiet people are left out, except where
 * everybody gets a message: then theirs waits.
 */
export function nextUserIds(
  stage: Stage,
  { people }: CallablePeople,
  { calledUserIds, until }: Pick<TargetState, 'calledUserIds'> & Pick<CallPlan, 'until'>,
): number[] {
  const waiting = people
    .filter(({ quietUntilMs }) => quietUntilMs === undefined || isForEverybody(stage, until))
    .map(({ userId }) => userId)
    .filter((userId) => !calledUserIds.includes(userId));
  return stage.mode === 'Broadcast' ? waiting : waiting.slice(0, 1);
}

/** Whether each person of the stage has to be reached, and not only one of them. */
export function isForEverybody({ mode }: Pick<Stage, 'mode'>, until: CallPlan['until']): boolean {
  return mode === 'Broadcast' && until === 'reached';
}

function rotate(people: readonly CallablePerson[], count: number): CallablePerson[] {
  const start = people.length === 0 ? 0 : count % people.length;
  return [...people.slice(start), ...people.slice(0, start)];
}
