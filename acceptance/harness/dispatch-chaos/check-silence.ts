import type { EscalationStory, OrderMade } from './escalation-stories.ts';
import { attemptOf, type Evidence } from './evidence.ts';
import { touches } from './inject-faults.ts';

const raceMs = 2_000;

/** A time in which nobody may be called for an escalation. */
type Quiet = { from: number; to: number; why: string };

/**
 * I6: after an acknowledgment, reset or mask nobody is called, except by orders that were under way and are marked so, and
 * ringing calls are hung up.
 */
export function checkSilence(evidence: Evidence, stories: readonly EscalationStory[]): string[] {
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

function quietOf(story: EscalationStory): Quiet[] {
  const over = overSince(story);
  const why = story.escalation.closedReason ?? 'acted on';
  return [
    ...story.silences.map((silence) => ({ ...silence, why: 'masked' })),
    ...(over === undefined ? [] : [{ from: over, to: Number.POSITIVE_INFINITY, why }]),
  ];
}

/** Commit of the closing; for a server that does not close the escalation, the answer to the client that acted. */
function overSince({ escalation, acted }: EscalationStory): number | undefined {
  return escalation.closingCommitted ?? acted;
}

function lateOrders({ escalation, orders }: EscalationStory, { from, to, why }: Quiet): string[] {
  const late = orders.filter(({ at, isAccepted }) => isAccepted && at > from + raceMs && at < to);
  // A mask does not wait for dispatchers: orders claimed before it are under way.
  const isRace = ({ attempt }: OrderMade) =>
    (attempt.lateRace || why === 'masked') && (attempt.sent ?? 0) <= from;
  const after = (time: number | null) => (((time ?? 0) - from) / 1_000).toFixed(1);
  return late
    .filter((order) => !isRace(order))
    .map(
      ({ at, attempt }) =>
        `I6: attempt ${attempt.id} of escalation ${escalation.id} was made ${after(at)} s after it was ${why} ` +
        `(claimed at ${after(attempt.sent)} s, ${attempt.outcome} ${attempt.reason})`,
    );
}

/** The server hangs up within a second; the rest is for a busy machine. */
const hangUpMs = 8_000;
/** Events after which a phone no longer rings. */
const ends = ['answered', 'ended', 'hung-up'];

/** A call may be for several alarms: it is hung up when none of them needs it. */
function ringingFaults({ company, windows }: Evidence, stories: readonly EscalationStory[]): string[] {
  const needed = new Map<string, number>();
  for (const story of stories)
    for (const { tenantId, id, sentAs, outcome } of story.attempts) {
      const call = `${tenantId} ${sentAs ?? id}`;
      // The server does not know whether an unknown attempt made a call.
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
