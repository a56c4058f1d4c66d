/** A way out for a medium, as far as choosing goes. */
export type ChannelChoice = {
  id: number;
  /** It answers, as far as we know. */
  healthy: boolean;
};

/**
 * The way out for a try: the first that is healthy and has not just failed this person; then any healthy one; then,
 * because a try that may fail is better than none, one that is not. Undefined only when there is none at all.
 */
export function chooseChannel<Channel extends ChannelChoice>(
  inOrder: readonly Channel[],
  avoid: readonly number[],
): Channel | undefined {
  const isNew = ({ id }: Channel) => !avoid.includes(id);
  return (
    inOrder.find((channel) => channel.healthy && isNew(channel)) ??
    inOrder.find(({ healthy }) => healthy) ??
    inOrder.find(isNew) ??
    inOrder[0]
  );
}
