import type { CallPlan, Medium, MediumKind, Person, Stage } from './call-plan.ts';
import { type CalledUser, notifyAllCalled } from './notify-all-called.ts';

/** Nobody is woken by a ringing telephone to hear that they can sleep on. */
const quietMedia: readonly MediumKind[] = ['Push', 'Email', 'Sms'];

const newsStage: Omit<Stage, 'userIds'> = {
  groupId: 0,
  role: 'first',
  mode: 'Broadcast',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: 1,
  cycles: 1,
};

type Reach = {
  people: ReadonlyMap<number, Person>;
  /** The media that a channel serves; undefined if not known. */
  served?: ReadonlySet<MediumKind> | undefined;
};

/**
 * The plan for a reset or an acknowledgment with a further target: everybody who was called for the alarm, is not named by
 * the plan, and has a quiet medium. `people` have only that medium. The person who took the alarm knows it.
 */
export function tellCalled(
  planned: CallPlan,
  called: readonly CalledUser[],
  { people, served }: Reach,
): { plan: CallPlan; people: ReadonlyMap<number, Person> } {
  const plan = notifyAllCalled(planned, called);
  if (plan.tellsCalled !== true) return { plan, people };
  const named = new Set(plan.targets.flatMap(({ stages }) => stages.flatMap(({ userIds }) => userIds)));
  const told = new Map<number, Person>();
  for (const { userId } of called) {
    const person = people.get(userId);
    const medium = person && quietestOf(person, served);
    if (!person || !medium || named.has(userId) || hasTaken(plan, person)) continue;
    told.set(userId, { ...person, media: [medium] });
  }
  if (told.size === 0) return { plan, people };
  const target = { stages: [{ ...newsStage, userIds: [...told.keys()] }] };
  return { plan: { ...plan, targets: [...plan.targets, target] }, people: new Map([...people, ...told]) };
}

/** The medium that disturbs the person least; never a telephone. */
export function quietestOf(
  { media }: Pick<Person, 'media'>,
  served: ReadonlySet<MediumKind> | undefined,
): Medium | undefined {
  return quietMedia
    .filter((kind) => served === undefined || served.has(kind))
    .flatMap((kind) => media.find((medium) => medium.kind === kind) ?? [])[0];
}

/** By name, because an acknowledgment carries no more. */
function hasTaken({ message: { news } }: CallPlan, { name }: Person): boolean {
  return news?.kind === 'taken' && news.by === name;
}
