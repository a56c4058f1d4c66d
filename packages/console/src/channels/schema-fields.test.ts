import { expect, test } from 'vitest';
import { fieldsOf, settingsOf, shownSettings, valuesOf } from './schema-fields.ts';

const fields = fieldsOf({
  settings: {
    required: ['host'],
    properties: {
      host: { type: 'string', maxLength: 253, title: 'Server', description: 'Name or address.' },
      port: { type: 'integer', minimum: 1, maximum: 65_535, title: 'Port' },
      tls: { type: 'boolean', default: true },
      transport: { enum: ['udp', 'tls'], default: 'udp', title: 'Transport' },
      codecs: { type: 'array', items: { enum: ['PCMA', 'PCMU'] }, default: ['PCMA', 'PCMU'] },
      certificate: { type: 'string', maxLength: 16_384, title: 'Certificate authority' },
      password: { type: 'string', maxLength: 1_024, title: 'Password', writeOnly: true },
    },
  },
});

test('each setting that a channel describes becomes a field of its type', () => {
  expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['host', 'text', true],
    ['port', 'number', false],
    ['tls', 'boolean', false],
    ['transport', 'choice', false],
    ['codecs', 'list', false],
    ['certificate', 'long', false],
    ['password', 'secret', false],
  ]);
  expect(fields[4]).toMatchObject({ choices: ['PCMA', 'PCMU'], byDefault: 'PCMA, PCMU' });
});

test('empty fields are left out, so that secrets stay and defaults apply', () => {
  const values = valuesOf(fields, { host: 'pbx.example', port: 5061, codecs: ['PCMU'], tls: false });
  expect(settingsOf(fields, values)).toEqual({
    host: 'pbx.example',
    port: 5061,
    tls: false,
    codecs: ['PCMU'],
  });
  expect(settingsOf(fields, { ...values, port: ' ', password: 'secret' })).toEqual({
    host: 'pbx.example',
    tls: false,
    codecs: ['PCMU'],
    password: 'secret',
  });
});

test('a secret is never shown, not even in the request', () => {
  expect(shownSettings(fields, { host: 'a', password: 'secret' })).toEqual({ host: 'a', password: '…' });
});
