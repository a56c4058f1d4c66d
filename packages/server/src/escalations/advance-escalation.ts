import {
  advance,
  advanceNotice,
  type CallPlan,
  type Facts,
  onDuty,
  type Stage,
  tellCalled,
} from '@tocsin/domain';
import type { CallDirectory } from './call-directory.ts';
import type { Escalated } from './escalation.store.ts';
import type { EscalationWork, Rotation } from './escalation-work.store.ts';

export type EscalationContext = {
  directory: CallDirectory;
  rotation: Rotation;
  now: Date;
} & Partial<Pick<Facts, 'routes' | 'down'>>;

/** Decides the next step of an escalation. */
export function advanceEscalation(
  work: EscalationWork,
  { directory, rotation, now, ...routes }: EscalationContext,
): Escalated {
  if (work.plan.occasion === 'notice') {
    const facts = { ...noFacts, people: directory.people, attempts: work.attempts, ...routes };
    return { work, rotation, directory, ...advanceNotice(work.plan, work.state, facts, now) };
  }
  const { plan, people } = tellCalled(work.plan, work.calledBefore ?? [], {
    people: directory.people,
    served: routes.routes && new Set(routes.routes.keys()),
  });
  const facts: Facts = {
    people,
    alarm: work.alarm,
    onDuty: onDutyFor(directory, plan, now),
    rotation: new Map(Object.entries(rotation).map(([id, number]) => [Number(id), number])),
    attempts: work.attempts,
    ...routes,
  };
  return { work, rotation, directory, ...advance(plan, work.state, facts, now) };
}

const noFacts = { alarm: undefined, onDuty: new Map(), rotation: new Map() };

/** The users on duty now, for each call group of the plan that has a roster and still exists. */
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
