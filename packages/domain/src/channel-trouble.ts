/** What is known of a channel since its first failure after it last worked. While it works there is nothing to know. */
export type ChannelTrouble = {
  since: Date;
  /** When a message last failed; undefined when only probes did. */
  lastSend: Date | undefined;
  failures: number;
  /** People must be told. */
  ill: boolean;
  /** Why it failed, last before it was ill. */
  reason: string;
};

/** What was seen of a channel: of messages that it was given, or of a probe, which disturbs nobody. */
export type ChannelSign =
  | { from: 'send' | 'probe'; works: true }
  | { from: 'send' | 'probe'; works: false; failures: number; reason: string };

const failuresUntilIll = 3;
/** A flood that fails in one instant, or a process that stood still, is no illness. */
const secondsUntilIll = 20;
/** While messages fail, a probe that works proves nothing. Longer than the longest wait between two tries of a person. */
const quietSeconds = 40;

/**
 * How a channel stands after a sign of it. One message that gets through proves it well, and so does a probe when no
 * message has failed for a while. It is ill when everything has failed for some time.
 */
export function judgeChannel(
  before: ChannelTrouble | undefined,
  sign: ChannelSign,
  now: Date,
): ChannelTrouble | undefined {
  if (sign.works) return sign.from === 'probe' && sendsFail(before, now) ? before : undefined;

  const { since, lastSend, failures, ill, reason } = before ?? startOfTrouble(now);
  const all = failures + sign.failures;
  const lasts = now.getTime() - since.getTime() >= secondsUntilIll * 1000;
  return {
    since,
    lastSend: sign.from === 'send' ? now : lastSend,
    failures: all,
    ill: ill || (all >= failuresUntilIll && lasts),
    reason: ill ? reason : sign.reason,
  };
}

function startOfTrouble(now: Date): ChannelTrouble {
  return { since: now, lastSend: undefined, failures: 0, ill: false, reason: '' };
}

function sendsFail(trouble: ChannelTrouble | undefined, now: Date): boolean {
  const { lastSend } = trouble ?? {};
  return lastSend !== undefined && now.getTime() - lastSend.getTime() < quietSeconds * 1000;
}

const wellSeconds = 30;
const troubledSeconds = 10;

/** How soon to probe it again. */
export function probeSeconds(trouble: ChannelTrouble | undefined): number {
  return trouble === undefined ? wellSeconds : troubledSeconds;
}
