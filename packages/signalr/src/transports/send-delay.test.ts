import { expect, test } from 'vitest';
import { SendDelay } from './send-delay.ts';

test('the delay is that of the oldest unsent byte', () => {
  const delay = new SendDelay();
  expect(delay.measureMs({ bytesWritten: 0, writableLength: 0 }, 0)).toBe(0);
  expect(delay.measureMs({ bytesWritten: 100, writableLength: 100 }, 1_000)).toBe(0);
  expect(delay.measureMs({ bytesWritten: 300, writableLength: 250 }, 3_000)).toBe(2_000);
  expect(delay.measureMs({ bytesWritten: 300, writableLength: 201 }, 9_000)).toBe(8_000);
});

test('the delay stays zero while the client reads, even if bytes are always pending', () => {
  const delay = new SendDelay();
  let written = 0;
  for (let second = 0; second < 60; second += 1) {
    written += 1_000;
    expect(delay.measureMs({ bytesWritten: written, writableLength: 900 }, second * 1_000)).toBe(0);
  }
});

test('the delay restarts after the client has read everything', () => {
  const delay = new SendDelay();
  delay.measureMs({ bytesWritten: 100, writableLength: 100 }, 0);
  delay.measureMs({ bytesWritten: 100, writableLength: 0 }, 5_000);
  expect(delay.measureMs({ bytesWritten: 200, writableLength: 100 }, 9_000)).toBe(0);
});
