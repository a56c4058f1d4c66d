import { expect, test } from 'vitest';
import { UnsentWatch } from './sink.ts';

test('the age is that of the oldest byte which still waits', () => {
  const watch = new UnsentWatch();
  expect(watch.age({ bytesWritten: 0, writableLength: 0 }, 0)).toBe(0);
  expect(watch.age({ bytesWritten: 100, writableLength: 100 }, 1_000)).toBe(0);
  expect(watch.age({ bytesWritten: 300, writableLength: 250 }, 3_000)).toBe(2_000);
  expect(watch.age({ bytesWritten: 300, writableLength: 201 }, 9_000)).toBe(8_000);
});

test('a client that reads on is young again, even if something always waits', () => {
  const watch = new UnsentWatch();
  let written = 0;
  for (let second = 0; second < 60; second += 1) {
    written += 1_000;
    expect(watch.age({ bytesWritten: written, writableLength: 900 }, second * 1_000)).toBe(0);
  }
});

test('one that has read everything starts anew', () => {
  const watch = new UnsentWatch();
  watch.age({ bytesWritten: 100, writableLength: 100 }, 0);
  watch.age({ bytesWritten: 100, writableLength: 0 }, 5_000);
  expect(watch.age({ bytesWritten: 200, writableLength: 100 }, 9_000)).toBe(0);
});
