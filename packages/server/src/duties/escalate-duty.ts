import { advance, type CallPlan, type Facts, type MediumKind, onDuty, type Stage } from '@tocsin/domain';
import type { CallDirectory } from './call-directory.ts';
import type { DutyWork, Rotation } from './duty-work.store.ts';
import type { Escalated } from './escalation.store.ts';

export type EscalationMeans = {
  directory: CallDirectory;
  rotation: Rotation;
  now: Date;
  /** Media whose every channel is ill. */
  down?: ReadonlySet<MediumKind>;
};

/** What there is to do about one duty. */
export function escalateDuty(
  work: DutyWork,
  { directory, rotation, now, down = new Set() }: EscalationMeans,
): Escalated {
  const facts: Facts = {
    alarm: work.alarm,
    onDuty: onDutyFor(directory, work.plan, now),
    rotation: new Map(Object.entries(rotation).map(([id, number]) => [Number(id), number])),
    attempts: work.attempts,
    down,
  };
  return { work, rotation, ...advance(work.plan, work.state, facts, now) };
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
