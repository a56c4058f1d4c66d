import type { DutyStory, OrderMade } from './duty-stories.ts';
import { attemptOf, type Evidence } from './evidence.ts';
import { touches } from './nemesis.ts';

const raceMs = 2_000;

/** From then until then nobody may be called for a duty. */
type Quiet = { from: number; to: number; why: string };

/**
 * I6: once an alarm is acknowledged, reset or masked nobody is called any more, but for what was on its way and is
 * marked so; and what rings then is hung up.
 */
export function checkSilence(evidence: Evidence, stories: readonly DutyStory[]): string[] {
  const quiet = new Map(stories.map((story) => [story, quietOf(story)]));
  const faults = stories.flatMap((story) =>
    (quiet.get(story) ?? []).flatMap((time) => lateOrders(story, time)),
  );
  const races = evidence.attempts.filter(({ lateRace }) => lateRace).length;
  const times = [...quiet.values()].flat().length;
  return [
    ...faults,
    ...ringingFaults(evidence, stories),
    ...(races > times ? [`I6: ${races} races for ${times} alarms that somebody acted on`] : []),
  ];
}

function quietOf(story: DutyStory): Quiet[] {
  const over = overSince(story);
  const why = story.duty.closedReason ?? 'acted on';
  return [
    ...story.silences.map((silence) => ({ ...silence, why: 'masked' })),
    ...(over === undefined ? [] : [{ from: over, to: Number.POSITIVE_INFINITY, why }]),
  ];
}

/** From when on everybody could know; for a server that does not close the duty, since it told a client that it did. */
function overSince({ duty, acted }: DutyStory): number | undefined {
  return duty.closingCommitted ?? acted;
}

function lateOrders({ duty, orders }: DutyStory, { from, to, why }: Quiet): string[] {
  const late = orders.filter(({ at, isTaken }) => isTaken && at > from + raceMs && at < to);
  // Whoever masks an alarm does not wait for those who call: what they had taken up by then is on its way.
  const isRace = ({ attempt }: OrderMade) =>
    (attempt.lateRace || why === 'masked') && (attempt.sent ?? 0) <= from;
  const after = (time: number | null) => (((time ?? 0) - from) / 1_000).toFixed(1);
  return late
    .filter((order) => !isRace(order))
    .map(
      ({ at, attempt }) =>
        `I6: attempt ${attempt.id} of duty ${duty.id} was made ${after(at)} s after it was ${why} ` +
        `(taken up at ${after(attempt.sent)} s, ${attempt.outcome} ${attempt.reason})`,
    );
}

/** It is done within a second; a busy machine is given time. */
const hangUpMs = 8_000;
/** After that a phone rings no more. */
const ends = ['answered', 'ended', 'hung-up'];

/** A call may tell of several alarms: it is hung up when none of them needs anybody. */
function ringingFaults({ company, windows }: Evidence, stories: readonly DutyStory[]): string[] {
  const needed = new Map<string, number>();
  for (const story of stories)
    for (const { tenantId, id, sentAs, outcome } of story.attempts) {
      const call = `${tenantId} ${sentAs ?? id}`;
      // Nobody knows of a call that came of an unknown attempt.
      const until = outcome === 'unknown' ? Infinity : (overSince(story) ?? Infinity);
      needed.set(call, Math.max(needed.get(call) ?? 0, until));
    }
  const calls = Map.groupBy(
    company.filter(({ folder }) => folder === 'calls'),
    attemptOf,
  );
  return [...calls].flatMap(([call, lines]) => {
    const over = needed.get(call) ?? Infinity;
    const begun = lines.find(({ event }) => event === 'accepted');
    if (!begun || over === Infinity) return [];
    const from = Math.max(over, Date.parse(begun.at));
    const end = lines.find(({ event }) => ends.includes(event));
    const rang = (end ? Date.parse(end.at) : Date.now()) - from;
    if (rang <= hangUpMs || touches(windows, { from, ms: hangUpMs })) return [];
    return `I6: attempt ${call} rang ${end ? `for ${Math.round(rang / 1_000)} s` : 'for ever'} after nobody was needed`;
  });
}
