import { expect, test } from 'vitest';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { CommandQueue } from './command-queue.ts';

const post = (subject: string, priority?: number): { command: AlarmCommand } => ({
  command: {
    kind: 'post',
    actor: { name: subject, subject, userId: undefined, stationIds: undefined },
    body: priority === undefined ? {} : { priority },
  },
});
const fill = (
  queue: CommandQueue<{ command: AlarmCommand }>,
  subject: string,
  count: number,
  priority = 3,
) => {
  for (let n = 0; n < count; n++) queue.add(post(subject, priority));
};

test('a batch is taken in the order of arrival, at most 128 at once', () => {
  const queue = new CommandQueue<{ command: AlarmCommand }>();
  const items = Array.from({ length: 200 }, () => post('plc'));
  for (const item of items) queue.add(item);
  expect(queue.takeBatch()).toEqual(items.slice(0, 128));
  expect(queue.takeBatch()).toEqual(items.slice(128));
  expect(queue.length).toBe(0);
});

test('a sender with too many waiting commands is refused, and other senders are not', () => {
  const queue = new CommandQueue<{ command: AlarmCommand }>();
  fill(queue, 'flood', 2_000);
  expect(() => queue.add(post('flood', 3))).toThrow(
    expect.objectContaining({ code: 'too-many-requests', headers: { 'retry-after': '1' } }),
  );
  expect(() => queue.add(post('neighbour', 3))).not.toThrow();
});

test('what was written makes room again', () => {
  const queue = new CommandQueue<{ command: AlarmCommand }>();
  fill(queue, 'flood', 2_000);
  queue.takeBatch();
  fill(queue, 'flood', 128);
  expect(() => queue.add(post('flood', 3))).toThrow('flood has 2000 alarms waiting');
});

test('when many flood at once the urgent still get in, and memory stays bounded', () => {
  const queue = new CommandQueue<{ command: AlarmCommand }>();
  for (let sender = 0; sender < 10; sender++) fill(queue, `flood ${sender}`, 2_000);
  expect(() => queue.add(post('quiet', 2))).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(() => queue.add(post('quiet', 1))).not.toThrow();
  expect(() => queue.add(post('quiet'))).not.toThrow();
  for (let sender = 10; queue.length < 40_000; sender++) {
    for (let n = 0; n < 2_000 && queue.length < 40_000; n++) queue.add(post(`urgent ${sender}`, 1));
  }
  expect(() => queue.add(post('quiet', 1))).toThrow(expect.objectContaining({ code: 'unavailable' }));
});
