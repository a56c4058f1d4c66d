import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection of a server that answers pings while `answers` is true. */
function open() {
  const said: string[] = [];
  const server = { answers: true };
  const heartbeat = startHeartbeat(2_000, () => Date.now(), {
    ping: () => {
      if (server.answers) setTimeout(() => heartbeat.heard(), 10);
    },
    onLate: () => said.push('late'),
    onLost: () => {
      said.push('lost');
      heartbeat.pause();
    },
    onJump: (ms) => said.push(`jump ${Math.round(ms / 1_000)}`),
  });
  return { heartbeat, server, said };
}

test('a quiet server that answers is never late', () => {
  const { heartbeat, said } = open();
  heartbeat.begin();
  vi.advanceTimersByTime(600_000);
  expect(said).toEqual([]);
  heartbeat.stop();
});

test('a silent server is late after one heartbeat, and lost after two', () => {
  const { heartbeat, server, said } = open();
  heartbeat.begin();
  vi.advanceTimersByTime(10_000);
  server.answers = false;
  vi.advanceTimersByTime(3_500);
  expect(new Set(said)).toEqual(new Set(['late']));
  vi.advanceTimersByTime(1_500);
  expect(said.filter((each) => each !== 'late')).toEqual(['lost']);
  heartbeat.stop();
});

test('a hidden page, which may run once a minute only, does not take its own silence for that of the server', () => {
  const { heartbeat, said } = open();
  heartbeat.begin();
  for (let minute = 0; minute < 5; minute++) {
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(600);
  }
  expect(said).toEqual(Array.from({ length: 5 }, () => 'jump 61'));
  heartbeat.stop();
});

test('without a connection nothing is late', () => {
  const { heartbeat, said } = open();
  heartbeat.begin();
  heartbeat.pause();
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual([]);
  heartbeat.stop();
});
