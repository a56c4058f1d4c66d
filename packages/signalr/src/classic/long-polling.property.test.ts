import fc from 'fast-check';
import { expect } from 'vitest';
import { test } from './classic-node.fixture.ts';
import { cursorOf } from './plant-log.fixture.ts';
import { alarmsIn, elsewhere, negotiate } from './raw-client.fixture.ts';

type Turn =
  | { readonly kind: 'raise'; readonly count: number }
  /** At either node; the answer may get lost. */
  | { readonly kind: 'poll'; readonly node: 0 | 1; readonly isLost: boolean }
  /** For so long that both nodes forget the client. */
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

test('whatever is lost on the way, a client that polls hears of everything once and in order', async ({
  log,
  start,
}) => {
  const gone = await start();
  const nodes = [
    await start({ limits: { pendingBytes: 300 } }),
    await start({ limits: { pendingBytes: 300 } }),
  ];
  const there = await negotiate(gone);
  const [one, other] = nodes.map((node) => elsewhere(node, there));
  if (one === undefined || other === undefined) throw new Error('two nodes are needed');
  await gone.kill();
  const checked = await fc.check(
    fc.asyncProperty(fc.array(turn, { maxLength: 20 }), async (turns) => {
      const before = log.head;
      const heard: number[] = [];
      let messageId = cursorOf(before);
      const pollAt = async (node: 0 | 1, isLost: boolean) => {
        if (heard.length === log.head - before) return;
        const frame = await (node === 0 ? one : other).poll('poll', { messageId });
        if (isLost) return;
        heard.push(...alarmsIn([frame]));
        messageId = frame.C ?? messageId;
      };
      for (const each of turns) {
        if (each.kind === 'raise') for (let n = 0; n < each.count; n += 1) log.raise();
        else if (each.kind === 'poll') await pollAt(each.node, each.isLost);
        else await Promise.all(nodes.map((node) => node.pass(31_000)));
      }
      while (heard.length < log.head - before) await pollAt(0, false);
      expect(heard).toEqual(Array.from({ length: log.head - before }, (_, index) => before + index + 1));
    }),
    { numRuns: 40 },
  );
  expect(checked.failed, fc.defaultReportMessage(checked)).toBe(false);
  expect(nodes.every(({ context }) => context.counters.tooSlow > 0)).toBe(true);
});
