/** A channel that serves a medium. */
export type ChannelChoice = {
  id: number;
  healthy: boolean;
};

/**
 * Chooses the channel of an attempt: the first healthy one that has not just failed this person, else any healthy one,
 * else one that is down, because an attempt that may fail is better than none. Undefined only if the list is empty.
 */
export function chooseChannel<Channel extends ChannelChoice>(
  channels: readonly Channel[],
  avoid: readonly number[],
): Channel | undefined {
  const isUntried = ({ id }: Channel) => !avoid.includes(id);
  return (
    channels.find((channel) => channel.healthy && isUntried(channel)) ??
    channels.find(({ healthy }) => healthy) ??
    channels.find(isUntried) ??
    channels[0]
  );
}
