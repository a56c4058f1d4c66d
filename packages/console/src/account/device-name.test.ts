import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

test.for([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0 Safari/537.36 Edg/148.0',
    'Edge, Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0 Mobile Safari/537.36',
    'Chrome, Android phone',
  ],
  ['curl/8.5.0', 'curl'],
  ['', ''],
] as const)('%s is shown as %s', ([userAgent, name]) => {
  expect(deviceName(userAgent)).toBe(name);
});
