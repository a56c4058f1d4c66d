import type { CallPlan, Medium, Person } from './call-plan.ts';
import type { Facts, TargetState } from './escalation-state.ts';

type Routes = Facts['routes'];

/** People with the addresses at which they may be called now. */
export type PeopleOfTarget = (target: Pick<TargetState, 'pass'>) => ReadonlyMap<number, Person>;

/**
 * Addresses that nobody has confirmed are called only for an alarm of priority 1, only for people who can be reached by no
 * other address, and only when nobody else is left: nobody of the plan has a confirmed address, or everybody was
 * called once and nobody has acknowledged. A stranger may then be called, but an alarm that nobody hears is worse.
 */
export function lastResort(
  plan: CallPlan,
  people: ReadonlyMap<number, Person>,
  routes: Routes,
): PeopleOfTarget {
  if (plan.until !== 'acknowledged' || plan.priority > 1) return () => people;
  const named = plan.targets.flatMap(({ stages }) => stages.flatMap(({ userIds }) => userIds));
  const widened = new Map<number, Person>();
  for (const userId of named) {
    const person = people.get(userId);
    const added = person?.unconfirmed?.filter((medium) => isServed(medium, routes)) ?? [];
    if (person && added.length > 0 && !isReachable(person, routes))
      widened.set(userId, { ...person, media: [...person.media, ...added] });
  }
  if (widened.size === 0) return () => people;
  const isNobodyLeft = !named.some((userId) => isReachable(people.get(userId), routes));
  const all = new Map([...people, ...widened]);
  return ({ pass }) => (isNobodyLeft || pass > 0 ? all : people);
}

/** Whether a channel serves a confirmed address of the person. */
export function isReachable(person: Person | undefined, routes: Routes): boolean {
  return person?.media.some((medium) => isServed(medium, routes)) ?? false;
}

function isServed({ kind }: Medium, routes: Routes): boolean {
  return routes === undefined || routes.has(kind);
}
