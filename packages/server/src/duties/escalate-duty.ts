import { advance, type CallPlan, type Facts, onDuty, type Stage, tellAllCalled } from '@tocsin/domain';
import type { CallDirectory } from './call-directory.ts';
import type { DutyWork, Rotation } from './duty-work.store.ts';
import type { Escalated } from './escalation.store.ts';

export type EscalationMeans = {
  directory: CallDirectory;
  rotation: Rotation;
  now: Date;
} & Partial<Pick<Facts, 'routes' | 'down'>>;

/** What there is to do about one duty. */
export function escalateDuty(
  work: DutyWork,
  { directory, rotation, now, ...routes }: EscalationMeans,
): Escalated {
  const plan = tellAllCalled(work.plan, work.calledBefore ?? []);
  const facts: Facts = {
    people: directory.people,
    alarm: work.alarm,
    onDuty: onDutyFor(directory, plan, now),
    rotation: new Map(Object.entries(rotation).map(([id, number]) => [Number(id), number])),
    attempts: work.attempts,
    ...routes,
  };
  return { work, rotation, directory, ...advance(plan, work.state, facts, now) };
}

/** Of each call group of the plan that has a roster, who is on duty now; a group that is gone has everybody. */
function onDutyFor(
  { groups }: CallDirectory,
  plan: CallPlan,
  now: Date,
): ReadonlyMap<number, readonly number[]> {
  return new Map(
    stagesOf(plan).flatMap(({ groupId, rostered }) => {
      const group = rostered ? groups.get(groupId) : undefined;
      return group ? [[groupId, onDuty(group.roster, group.timeZone, now).userIds]] : [];
    }),
  );
}

export function stagesOf({ targets }: CallPlan): Stage[] {
  return targets.flatMap(({ stages }) => stages);
}
