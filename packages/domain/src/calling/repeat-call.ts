import { formatInZone } from '../time/date-time.ts';
import { addSeconds } from '../time/instant.ts';
import type { MediumKind } from './call-plan.ts';
import { isUrgent } from './escalation-order.ts';

/** A call or message about an occurrence of a tag, and how it reached its person. */
export type EarlierCall = {
  tagId: number;
  occurrenceId: number;
  userId: number;
  priority: number;
  /** When the person had heard the alarm in a call, or took it. Somebody certainly knows about it. */
  heardAt?: Date | undefined;
  /** When a message about it was sent that a provider accepted. It may be unread. */
  messageAt?: Date | undefined;
};

/** An attempt that is due. */
export type RepeatCandidate = {
  tagId: number;
  occurrenceId: number;
  userId: number;
  priority: number;
  medium: { kind: MediumKind };
};

/** Why an attempt waits: the person was reached about the tag at that time. */
export type QuietTime = { by: 'call' | 'message'; reachedAt: Date; until: Date };

/**
 * A tag that is raised again and again does not ring each time: whoever was reached about an occurrence of at least the same
 * priority is called about the next one only after the quiet time. Returns undefined if the attempt is sent now.
 *
 * - Alarms of priority 1 never wait.
 * - Further tries for the same occurrence do not wait: nobody has acknowledged it.
 * - A message that a provider accepted delays further messages, but no telephone call, because nobody may have read it.
 */
export function quietTimeOf(
  candidate: RepeatCandidate,
  earlier: readonly EarlierCall[],
  quietSeconds: number,
  now: Date,
): QuietTime | undefined {
  if (isUrgent({ priority: candidate.priority, isFirstOfStation: false })) return undefined;
  const times = earlier
    .filter((call) => isAboutEarlierOccurrence(call, candidate))
    .flatMap((call) => quietTimesAfter(call, candidate.medium.kind, quietSeconds))
    .filter(({ until }) => until > now);
  return times.toSorted((one, other) => other.until.getTime() - one.until.getTime())[0];
}

function isAboutEarlierOccurrence(call: EarlierCall, candidate: RepeatCandidate): boolean {
  return (
    call.tagId === candidate.tagId &&
    call.userId === candidate.userId &&
    call.occurrenceId !== candidate.occurrenceId &&
    call.priority <= candidate.priority
  );
}

function quietTimesAfter(
  { heardAt, messageAt }: EarlierCall,
  medium: MediumKind,
  quietSeconds: number,
): QuietTime[] {
  const after = (by: QuietTime['by'], reachedAt: Date | undefined): QuietTime[] =>
    reachedAt ? [{ by, reachedAt, until: addSeconds(reachedAt, quietSeconds) }] : [];
  return [...after('call', heardAt), ...(medium === 'Voice' ? [] : after('message', messageAt))];
}

/** The reason for the timeline, with the clock of the station: "called about this tag 2 minutes ago, waits until 03:12". */
export function describeQuietTime({ by, reachedAt, until }: QuietTime, now: Date, timeZone: string): string {
  const verb = by === 'call' ? 'called' : 'sent a message';
  const clock = formatInZone(timeZone, until).slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
  return `${verb} about this tag ${describeAge(now.getTime() - reachedAt.getTime())} ago, waits until ${clock}`;
}

function describeAge(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.round(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
