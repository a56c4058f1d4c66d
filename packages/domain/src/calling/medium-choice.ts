import type { Medium, MediumKind } from './call-plan.ts';
import type { Attempt } from './delivery.ts';
import { findUsedMedium } from './escalation-context.ts';
import type { Facts, TargetState } from './escalation-state.ts';
import type { CalledPerson, OrderedMedium } from './media-rules.ts';

/** A person in a step, with the facts that decide about their next medium. */
export type PersonMedia = {
  person: CalledPerson;
  /** Tries of this person in this step, in order. */
  tries: readonly Attempt[];
  state: Pick<TargetState, 'usedMedia'>;
  routes: Facts['routes'];
  down: ReadonlySet<MediumKind>;
};

/** One entry of the order of a person. A medium that occurs twice has two entries, which are used alternately. */
export type MediumChoice = OrderedMedium & {
  /** The medium was not tried in this step, or only by a channel that failed while another one serves it. */
  isFresh: boolean;
  usesInStep: number;
  isDown: boolean;
  hasFailed: boolean;
  usesInAll: number;
};

/**
 * Skips media that failed permanently in this step, and phones that are still ringing. If a message waits because the person
 * was just sent one about the tag, only a telephone call is left.
 */
export function nextMedium(
  step: PersonMedia,
  { running, hasQuietMessage }: { running: readonly Attempt[]; hasQuietMessage: boolean },
): MediumChoice | undefined {
  const { person, tries, state, down } = step;
  const order = currentOrder(step);
  const choices = order.flatMap((entry, index): MediumChoice[] => {
    const { medium } = entry;
    const own = tries.filter((attempt) => isSame(attempt.medium, medium));
    if (own.some(({ permanent }) => permanent)) return [];
    if (running.some((attempt) => isSame(attempt.medium, medium))) return [];
    if (hasQuietMessage && medium.kind !== 'Voice') return [];
    const used = findUsedMedium(state, person.userId, medium);
    return [
      {
        ...entry,
        isFresh: own.length === 0 || hasOtherRoute(step, medium, own),
        usesInStep: countUses(order, index, own.length),
        isDown: down.has(medium.kind),
        hasFailed: used?.hasFailed ?? false,
        usesInAll: countUses(order, index, used?.tries ?? 0),
      },
    ];
  });
  return choices.toSorted(compareChoices)[0];
}

/** The media of the rule; also the others while none of the rule works. */
function currentOrder(step: PersonMedia): readonly OrderedMedium[] {
  const { order, lastResort } = step.person;
  if (lastResort.length === 0 || order.some(({ medium }) => isWorking(step, medium))) return order;
  return [...order, ...lastResort.map((medium) => ({ medium }))];
}

function isWorking(step: PersonMedia, medium: Medium): boolean {
  const { person, tries, state, routes, down } = step;
  const isServed = routes === undefined || routes.has(medium.kind);
  if (!isServed || down.has(medium.kind)) return false;
  if (findUsedMedium(state, person.userId, medium)?.hasFailed) return false;
  const own = tries.filter((attempt) => isSame(attempt.medium, medium));
  if (own.some(({ permanent }) => permanent)) return false;
  const hasFaultyChannel = own.length > 0 && own.every(({ channelFault }) => channelFault);
  return !hasFaultyChannel || hasOtherRoute(step, medium, own);
}

/** How many of the tries of a medium count for this entry, if its entries are used in turn. */
function countUses(order: readonly OrderedMedium[], index: number, tries: number): number {
  const medium = order[index]?.medium;
  const places = order.flatMap((entry, place) => (medium && isSame(entry.medium, medium) ? [place] : []));
  return Math.max(0, Math.ceil((tries - places.indexOf(index)) / places.length));
}

function hasOtherRoute({ routes }: PersonMedia, { kind }: Medium, own: readonly Attempt[]): boolean {
  const failed = own.filter(({ channelFault }) => channelFault).map(({ channelId }) => channelId);
  const channelIds = routes?.get(kind) ?? [];
  const isUntriedLeft = channelIds.length > own.length && channelIds.some((id) => !failed.includes(id));
  return failed.length === own.length && isUntriedLeft;
}

/** The entry used least in this step comes first, then by health and by use in all; else in the person's order. */
function compareChoices(one: MediumChoice, other: MediumChoice): number {
  return (
    one.usesInStep - other.usesInStep ||
    Number(one.isDown) - Number(other.isDown) ||
    Number(one.hasFailed) - Number(other.hasFailed) ||
    one.usesInAll - other.usesInAll
  );
}

function isSame(one: Medium, other: Medium): boolean {
  return one.kind === other.kind && one.address === other.address;
}
