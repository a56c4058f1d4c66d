import fc from 'fast-check';
import { expect } from 'vitest';
import { cursorOf } from './testing/alarm-log.fixture.ts';
import { test } from './testing/classic-node.fixture.ts';
import { alarmsIn, negotiate, onNode } from './testing/raw-client.fixture.ts';

type Turn =
  | { readonly kind: 'raise'; readonly count: number }
  /** A poll to one of the nodes, whose response may be lost. */
  | { readonly kind: 'poll'; readonly node: 0 | 1; readonly isLost: boolean }
  /** Long enough for both nodes to remove the client. */
  | { readonly kind: 'away' };

const raise = fc.record({ kind: fc.constant('raise' as const), count: fc.integer({ min: 1, max: 12 }) });
const poll = fc.record({
  kind: fc.constant('poll' as const),
  node: fc.constantFrom(0 as const, 1 as const),
  isLost: fc.boolean(),
});
const away = fc.constant({ kind: 'away' as const });
const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 3, arbitrary: raise },
  { weight: 5, arbitrary: poll },
  { weight: 1, arbitrary: away },
);

test('a long polling client receives every alarm once and in order, whichever responses are lost', async ({
  log,
  start,
}) => {
  const killed = await start();
  const nodes = [
    await start({ limits: { maxPendingBytes: 300 } }),
    await start({ limits: { maxPendingBytes: 300 } }),
  ];
  const there = await negotiate(killed);
  const [one, other] = nodes.map((node) => onNode(node, there));
  if (one === undefined || other === undefined) throw new Error('two nodes are needed');
  await killed.kill();
  const checked = await fc.check(
    fc.asyncProperty(fc.array(turn, { maxLength: 20 }), async (turns) => {
      const before = log.head;
      const received: number[] = [];
      let messageId = cursorOf(before);
      const pollAt = async (node: 0 | 1, isLost: boolean) => {
        if (received.length === log.head - before) return;
        const frame = await (node === 0 ? one : other).poll('poll', { messageId });
        if (isLost) return;
        received.push(...alarmsIn([frame]));
        messageId = frame.C ?? messageId;
      };
      for (const each of turns) {
        if (each.kind === 'raise') for (let n = 0; n < each.count; n += 1) log.raise();
        else if (each.kind === 'poll') await pollAt(each.node, each.isLost);
        else await Promise.all(nodes.map((node) => node.advance(31_000)));
      }
      while (received.length < log.head - before) await pollAt(0, false);
      expect(received).toEqual(Array.from({ length: log.head - before }, (_, index) => before + index + 1));
    }),
    { numRuns: 40 },
  );
  expect(checked.failed, fc.defaultReportMessage(checked)).toBe(false);
  expect(nodes.every(({ context }) => context.counters.tooSlow > 0)).toBe(true);
});
