import { expect, test } from 'vitest';
import { publicBase } from './config.ts';

test.for([
  ['', '/alertws', ''],
  ['https://a.example', '', 'https://a.example'],
  ['https://a.example', '/alertws', 'https://a.example/alertws'],
  ['https://a.example/alertws', '/alertws', 'https://a.example/alertws'],
  ['https://a.example/proxy/alertws', '/alertws', 'https://a.example/proxy/alertws'],
  ['https://a.example/alertws', '', 'https://a.example/alertws'],
] as const)('PUBLIC_URL %j with the prefix %j is reached at %j', ([publicUrl, basePath, reached]) => {
  expect(publicBase({ publicUrl, basePath })).toBe(reached);
});
