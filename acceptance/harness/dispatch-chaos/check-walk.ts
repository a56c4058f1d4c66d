import { type GroupPolicy, onDutyAt } from './call-policy.ts';
import type { DutyStory } from './duty-stories.ts';
import type { AttemptRow, Evidence } from './evidence.ts';
import { touches, type Window } from './nemesis.ts';

/** The turn of one person, or of all in a broadcast. */
type Step = { number: number; groupId: number; at: number; userIds: number[]; attempts: AttemptRow[] };

/**
 * I5 and I13: those are called who are on duty, one after the other, as often as their group says; then those who
 * relieve them, then those of last resort, and then all of them again.
 */
export function checkWalk({ windows }: Evidence, stories: readonly DutyStory[]): string[] {
  return stories.flatMap((story) => {
    const walks = walksOf(story);
    const quiet = walks.map((steps) => quietSteps(steps, windows));
    const name = `duty ${story.duty.id} of tenant ${story.duty.tenantId}`;
    return [
      ...walks
        .flat()
        .flatMap((step) => rosterFaults(story, step))
        .map((fault) => `I13: ${name} ${fault}`),
      ...quiet.flatMap((steps) => orderFaults(story, steps)).map((fault) => `I5: ${name} ${fault}`),
      ...quiet.flatMap((steps) => tryFaults(story, steps)).map((fault) => `I5: ${name} ${fault}`),
    ];
  });
}

const leaseMs = 10_000;

/**
 * Those before something went wrong: then tries are lost, masks are not seen and leases run out, and whose turn it is
 * cannot be told from outside.
 */
function quietSteps(steps: readonly Step[], windows: readonly Window[]): Step[] {
  const begun = steps[0]?.at ?? 0;
  return steps.filter(({ at }) => !touches(windows, { from: begun - leaseMs, ms: at - begun + leaseMs }));
}

/** After a mask the calling begins with the first people again. */
function walksOf({ attempts, silences }: DutyStory): Step[][] {
  const steps = [...Map.groupBy(attempts, ({ step }) => step).values()].map((some): Step => {
    const [first] = some as [AttemptRow];
    const userIds = [...new Set(some.map(({ userId }) => userId))];
    return { number: first.step, groupId: first.groupId, at: first.created, userIds, attempts: some };
  });
  const walks = Map.groupBy(steps, ({ at }) => silences.filter(({ to }) => to <= at).length);
  return [...walks.values()];
}

/** The clocks of the checker and of the server are the same, but a decision takes a while. */
const handOverMs = 1_000;

function rosterFaults({ stages }: DutyStory, { groupId, at, userIds }: Step): string[] {
  const group = stages.find(({ id }) => id === groupId);
  if (!group) return [`called group ${groupId}, which nobody named`];
  const onDuty = [...onDutyAt(group, at - handOverMs), ...onDutyAt(group, at)];
  return userIds
    .filter((userId) => !onDuty.includes(userId))
    .map((userId) => `called user ${userId} of group ${groupId}, who was not on duty`);
}

/** Where the calling has got: who of which group has had a turn in this cycle. */
type Place = {
  stage: number;
  cycle: number;
  called: readonly number[];
  /** Whether every try of the cycle failed: then nobody can have heard of it, and others may be called before a pause. */
  isUnheard: boolean;
};

const start: Place = { stage: 0, cycle: 0, called: [], isUnheard: true };

/** As far as nobody handed over: from then on it depends on the instant at which the server looked. */
function orderFaults(story: DutyStory, steps: readonly Step[]): string[] {
  const { stages } = story;
  const firsts = new Map<number, number>();
  const begun = steps[0]?.at ?? 0;
  let places = [start];
  let number = (steps[0]?.number ?? 1) - 1;
  for (const step of steps) {
    if (
      stages.some((stage) => onDutyAt(stage, begun - handOverMs).join() !== onDutyAt(stage, step.at).join())
    )
      return [];
    if (!firsts.has(step.groupId)) firsts.set(step.groupId, step.userIds[0] ?? 0);
    const from = places;
    const skipped = step.number - number - 1;
    number = step.number;
    const scene = { story, step, firsts };
    const due = skipTurns(from, skipped, scene).flatMap((place) => nextPlaces(place, scene));
    places = due.filter((one) => isTurn(one, scene)).map((one) => after(one, step.attempts));
    if (places.length === 0)
      return [passedOver(step, due[0] ?? from.flatMap((place) => nextPlaces(place, scene))[0])];
  }
  return [];
}

type Scene = { story: DutyStory; step: Step; firsts: ReadonlyMap<number, number> };

/** A turn in which everybody's telephone still rings makes no new call, and leaves its number out. */
function skipTurns(from: readonly Place[], count: number, scene: Scene): Place[] {
  let places = [...from];
  for (let turn = 0; turn < count; turn++)
    places = places
      .flatMap((place) => nextPlaces(place, scene))
      .filter(({ userIds }) => userIds.every((userId) => isRinging(userId, scene)))
      .map((one) => after(one, []));
  return places;
}

function isTurn({ groupId, userIds }: Next, scene: Scene): boolean {
  const { step } = scene;
  if (groupId !== step.groupId || !step.userIds.every((userId) => userIds.includes(userId))) return false;
  return userIds.every((userId) => step.userIds.includes(userId) || isRinging(userId, scene));
}

function after({ userIds, place }: Next, attempts: readonly AttemptRow[]): Place {
  const isUnheard = place.isUnheard && attempts.every(({ outcome }) => outcome === 'failed');
  return { ...place, called: [...place.called, ...userIds], isUnheard };
}

function passedOver({ userIds, groupId, number }: Step, due: Next | undefined): string {
  const next = due ? `${due.userIds.join(' and ')} of group ${due.groupId}` : 'others';
  return `called ${userIds.join(' and ')} of group ${groupId} in step ${number}, and ${next} were next`;
}

/** Whether a call of an earlier turn was still on its way to somebody just before: he is not called once more. */
function isRinging(userId: number, { story, step }: Pick<Scene, 'story' | 'step'>): boolean {
  const { attempts, stages } = story;
  const longest = Math.max(...stages.map(({ ackTimeoutSeconds }) => ackTimeoutSeconds)) * 1_000;
  return attempts.some(
    (attempt) =>
      attempt.userId === userId &&
      attempt.step < step.number &&
      (attempt.ended ?? Infinity) > step.at - longest,
  );
}

type Next = { groupId: number; userIds: number[]; place: Place };

/** Whose turn is next; where nobody heard of the cycle, also who is called instead of its people once more. */
function nextPlaces(from: Place, { story: { stages }, step: { at }, firsts }: Scene): Next[] {
  const usual = nextPlace(stages, from, { at, firsts });
  const isRepeated = usual?.place.stage === from.stage && usual.place.cycle > from.cycle;
  const instead =
    from.isUnheard && isRepeated
      ? nextPlace(stages, { ...from, cycle: Infinity }, { at, firsts })
      : undefined;
  return [usual ?? [], instead ?? []].flat();
}

/** In this cycle, in the next one, in the next group, or from the start. */
function nextPlace(
  stages: readonly GroupPolicy[],
  from: Place,
  { at, firsts }: Pick<Scene, 'firsts'> & { at: number },
): Next | undefined {
  let place = from;
  for (let tries = 0; tries <= 2 * stages.length; tries++) {
    const stage = stages[place.stage];
    if (!stage) return undefined;
    const { called } = place;
    const waiting = callingOrder(stage, at, firsts.get(stage.id)).filter(
      (userId) => !called.includes(userId),
    );
    const userIds = stage.mode === 'Broadcast' ? waiting : waiting.slice(0, 1);
    if (userIds.length > 0) return { groupId: stage.id, userIds, place };
    const isRepeated = called.length > 0 && place.cycle + 1 < stage.cycles;
    place = isRepeated
      ? { ...start, stage: place.stage, cycle: place.cycle + 1 }
      : { ...start, stage: (place.stage + 1) % stages.length };
  }
  return undefined;
}

/** Where people take turns, each alarm begins with another: with whom, only the first call tells. */
function callingOrder(stage: GroupPolicy, at: number, first: number | undefined): readonly number[] {
  const onDuty = onDutyAt(stage, at);
  const start = stage.mode === 'Turnover' && first !== undefined ? Math.max(0, onDuty.indexOf(first)) : 0;
  return [...onDuty.slice(start), ...onDuty.slice(0, start)];
}

/** A step that is followed sooner than this before its time to acknowledge was over ended because all tries failed. */
const earlyMs = 1_000;

/** Who is passed over before the time to acknowledge is over was tried as often as the group says. */
function tryFaults(story: DutyStory, steps: readonly Step[]): string[] {
  const { stages } = story;
  return steps.slice(0, -1).flatMap((step, index) => {
    const group = stages.find(({ id }) => id === step.groupId);
    const next = steps[index + 1];
    if (!group || !next || next.at - step.at > group.ackTimeoutSeconds * 1_000 - earlyMs) return [];
    // When the turn of somebody began whose telephone still rang cannot be told.
    const called = step.userIds.filter((userId) => !isRinging(userId, { story, step }));
    return called.flatMap((userId) => {
      const tries = step.attempts.filter(
        (attempt) => attempt.userId === userId && attempt.outcome !== 'unknown',
      );
      return tries.length >= group.attempts
        ? []
        : `tried user ${userId} ${tries.length} times of ${group.attempts} in step ${step.number}`;
    });
  });
}
