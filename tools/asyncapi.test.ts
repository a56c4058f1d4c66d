import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hubDocument } from '@tocsin/server/testing';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';

const resolve = createRequire(import.meta.url).resolve;
const read = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const document = read(new URL('../docs/asyncapi.json', import.meta.url));

test('docs/asyncapi.json is a valid AsyncAPI 3.0.0 document', () => {
  const specification = Compile(read(resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')));
  expect(specification.Errors(document)).toEqual([true, []]);
  expect(specification.Check({ ...document, channels: { alarmHub: { messages: 1 } } })).toBe(false);
});

test('it describes the hub of this release: the four callbacks and the four methods', () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(hubDocument())));
  expect(Object.keys(document['operations'] as object)).toEqual([
    'onAlarm',
    'onAlarmChanged',
    'onCallChanged',
    'onPlaySound',
    'subscribe',
    'unsubscribe',
    'ping',
    'resume',
  ]);
});

test('each of its references exists', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(references.length).toBeGreaterThan(20);
  for (const path of references) {
    const found = path
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], document);
    expect(found, path).toBeDefined();
  }
});
