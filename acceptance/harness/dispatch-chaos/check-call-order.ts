import { type GroupPolicy, onDutyAt } from './call-policy.ts';
import type { EscalationStory } from './escalation-stories.ts';
import type { AttemptRow, Evidence } from './evidence.ts';
import { type FaultWindow, touches } from './inject-faults.ts';

/** The step of one person, or of all in a broadcast. */
type Step = { number: number; groupId: number; at: number; userIds: number[]; attempts: AttemptRow[] };

/**
 * I5 and I13: the people on duty are called in order, as often as their group says; then the relief groups, then the
 * fallback group, and then all again.
 */
export function checkCallOrder({ windows }: Evidence, stories: readonly EscalationStory[]): string[] {
  return stories.flatMap((story) => {
    const rounds = roundsOf(story);
    const quiet = rounds.map((steps) => quietSteps(steps, windows));
    const name = `escalation ${story.escalation.id} of tenant ${story.escalation.tenantId}`;
    return [
      ...rounds
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
 * The steps before the first fault. After a fault attempts are lost and leases expire, so that the checker cannot know
 * which step is next.
 */
function quietSteps(steps: readonly Step[], windows: readonly FaultWindow[]): Step[] {
  const begun = steps[0]?.at ?? 0;
  return steps.filter(({ at }) => !touches(windows, { from: begun - leaseMs, ms: at - begun + leaseMs }));
}

/** The steps between masks: after a mask calling begins with the first people again. */
function roundsOf({ attempts, silences }: EscalationStory): Step[][] {
  const steps = [...Map.groupBy(attempts, ({ step }) => step).values()].map((some): Step => {
    const [first] = some as [AttemptRow];
    const userIds = [...new Set(some.map(({ userId }) => userId))];
    return { number: first.step, groupId: first.groupId, at: first.created, userIds, attempts: some };
  });
  const rounds = Map.groupBy(steps, ({ at }) => silences.filter(({ to }) => to <= at).length);
  return [...rounds.values()];
}

/** Time that the server may take for a decision at a shift change. */
const handOverMs = 1_000;

function rosterFaults({ stages }: EscalationStory, { groupId, at, userIds }: Step): string[] {
  const group = stages.find(({ id }) => id === groupId);
  if (!group) return [`called group ${groupId}, which nobody named`];
  const onDuty = [...onDutyAt(group, at - handOverMs), ...onDutyAt(group, at)];
  return userIds
    .filter((userId) => !onDuty.includes(userId))
    .map((userId) => `called user ${userId} of group ${groupId}, who was not on duty`);
}

/** Progress of the calling: the people of a group that were called in this cycle. */
type Place = {
  stage: number;
  cycle: number;
  called: readonly number[];
  /** Whether every attempt of the cycle failed: then the next group may be called without a pause. */
  isUnheard: boolean;
};

const start: Place = { stage: 0, cycle: 0, called: [], isUnheard: true };

/** Checks steps before a shift change; after it the order depends on the instant of the decision. */
function orderFaults(story: EscalationStory, steps: readonly Step[]): string[] {
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
    const due = skipSteps(from, skipped, scene).flatMap((place) => nextPlaces(place, scene));
    places = due.filter((one) => isNextStep(one, scene)).map((one) => after(one, step.attempts));
    if (places.length === 0)
      return [passedOver(step, due[0] ?? from.flatMap((place) => nextPlaces(place, scene))[0])];
  }
  return [];
}

type Scene = { story: EscalationStory; step: Step; firsts: ReadonlyMap<number, number> };

/** A step in which every telephone still rings makes no new call, so its number is missing. */
function skipSteps(from: readonly Place[], count: number, scene: Scene): Place[] {
  let places = [...from];
  for (let step = 0; step < count; step++)
    places = places
      .flatMap((place) => nextPlaces(place, scene))
      .filter(({ userIds }) => userIds.every((userId) => isRinging(userId, scene)))
      .map((one) => after(one, []));
  return places;
}

function isNextStep({ groupId, userIds }: Next, scene: Scene): boolean {
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

/** Whether a call of an earlier step was still under way just before, so that the user is not called again. */
function isRinging(userId: number, { story, step }: Pick<Scene, 'story' | 'step'>): boolean {
  const { attempts, stages } = story;
  const maxMs = Math.max(...stages.map(({ ackTimeoutSeconds }) => ackTimeoutSeconds)) * 1_000;
  return attempts.some(
    (attempt) =>
      attempt.userId === userId &&
      attempt.step < step.number &&
      (attempt.ended ?? Infinity) > step.at - maxMs,
  );
}

type Next = { groupId: number; userIds: number[]; place: Place };

/** The next step; if every attempt of the cycle failed, also the step that may replace its repetition. */
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

/** In a Turnover group each alarm begins with another person, known from its first call. */
function callingOrder(stage: GroupPolicy, at: number, first: number | undefined): readonly number[] {
  const onDuty = onDutyAt(stage, at);
  const start = stage.mode === 'Turnover' && first !== undefined ? Math.max(0, onDuty.indexOf(first)) : 0;
  return [...onDuty.slice(start), ...onDuty.slice(0, start)];
}

/** A step that ends earlier than this before its acknowledgment timeout ended because all attempts failed. */
const earlyMs = 1_000;

/** A step that ends before its timeout has made as many attempts as the group says. */
function tryFaults(story: EscalationStory, steps: readonly Step[]): string[] {
  const { stages } = story;
  return steps.slice(0, -1).flatMap((step, index) => {
    const group = stages.find(({ id }) => id === step.groupId);
    const next = steps[index + 1];
    if (!group || !next || next.at - step.at > group.ackTimeoutSeconds * 1_000 - earlyMs) return [];
    // The begin of a step is unknown if the telephone still rang.
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
