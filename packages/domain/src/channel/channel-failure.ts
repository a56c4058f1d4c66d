/** The failures of a channel since it last worked. A working channel has none. */
export type ChannelFailure = {
  since: Date;
  /** When a message last failed; undefined if only probes did. */
  lastSendFailedAt: Date | undefined;
  failures: number;
  /** Whether the failures are enough to raise a system alarm. */
  down: boolean;
  /** The last reason before the channel was down. */
  reason: string;
};

/** The result of sending messages by a channel, or of a probe, which sends none. */
export type ChannelObservation =
  | { from: 'send' | 'probe'; works: true }
  | { from: 'send' | 'probe'; works: false; failures: number; reason: string };

const failuresUntilDown = 3;
/** A flood that fails at once, or a process that was suspended, does not make a channel down. */
const secondsUntilDown = 20;
/** While messages fail, a successful probe proves nothing. Longer than the longest wait between two tries of a person. */
const quietSeconds = 40;

/**
 * Updates the failures of a channel. One message that gets through clears them, and so does a probe when no message has
 * failed for a while. A channel is down when everything has failed for some time.
 */
export function judgeChannel(
  before: ChannelFailure | undefined,
  observation: ChannelObservation,
  now: Date,
): ChannelFailure | undefined {
  const { from, works } = observation;
  if (works) return from === 'probe' && areSendsFailing(before, now) ? before : undefined;

  const { since, lastSendFailedAt, failures, down, reason } = before ?? firstFailure(now);
  const allFailures = failures + observation.failures;
  const hasLasted = now.getTime() - since.getTime() >= secondsUntilDown * 1000;
  return {
    since,
    lastSendFailedAt: from === 'send' ? now : lastSendFailedAt,
    failures: allFailures,
    down: down || (allFailures >= failuresUntilDown && hasLasted),
    reason: down ? reason : observation.reason,
  };
}

function firstFailure(now: Date): ChannelFailure {
  return { since: now, lastSendFailedAt: undefined, failures: 0, down: false, reason: '' };
}

function areSendsFailing(failure: ChannelFailure | undefined, now: Date): boolean {
  const { lastSendFailedAt } = failure ?? {};
  return lastSendFailedAt !== undefined && now.getTime() - lastSendFailedAt.getTime() < quietSeconds * 1000;
}

const healthyProbeSeconds = 30;
const failingProbeSeconds = 10;

/** The time until the next probe. */
export function probeSeconds(failure: ChannelFailure | undefined): number {
  return failure === undefined ? healthyProbeSeconds : failingProbeSeconds;
}
