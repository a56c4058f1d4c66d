import type { Actor, PostCommand } from '../alarms/decide/alarm-command.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { ProblemError } from '../common/problem.ts';

/** So many commands wait at once, so that alarms of machines are never far behind them in the queue. */
const windowSize = 256;

type Post = Pick<PostCommand, 'body' | 'seenDigest'>;

/**
 * Changes definitions through the alarm writer, which is the only way to change them: it keeps the caches of all servers
 * valid and writes the journal. Calls `onRefused` for each post that is refused; the others are committed.
 */
export async function submitPosts<Planned extends Post>(
  writer: AlarmWriter,
  { tenantId, actor }: { tenantId: number; actor: Actor },
  posts: readonly Planned[],
  onRefused: (post: Planned, problem: ProblemError) => void,
): Promise<void> {
  for (let start = 0; start < posts.length; start += windowSize) {
    const window = posts.slice(start, start + windowSize);
    const outcomes = await Promise.allSettled(
      window.map(({ body, seenDigest }) =>
        writer.submit(tenantId, { kind: 'post', definesOnly: true, body, actor, seenDigest }),
      ),
    );
    outcomes.forEach((outcome, index) => {
      if (outcome.status === 'fulfilled') return;
      const post = window[index];
      if (!(outcome.reason instanceof ProblemError) || !post) throw outcome.reason;
      onRefused(post, outcome.reason);
    });
  }
}
