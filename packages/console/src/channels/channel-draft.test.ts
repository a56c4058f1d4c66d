import type { Channel, ChannelKind } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { bodyOf, differencesOf, draftOf, newDraft, shownBody } from './channel-draft.ts';
import { fieldsOf } from './schema-fields.ts';

const kind: ChannelKind = {
  kind: 'sip',
  title: 'Telephone (SIP)',
  description: '',
  media: ['Voice', 'Sms'],
  settings: {
    required: ['host'],
    properties: {
      host: { type: 'string', title: 'Telephone system' },
      lines: { type: 'integer', title: 'Lines' },
      password: { type: 'string', title: 'Password', writeOnly: true },
    },
  },
};
const fields = fieldsOf(kind);
const channel: Channel = {
  id: 3,
  name: 'Works PBX',
  kind: 'sip',
  medium: 'Voice',
  priority: 4,
  enabled: true,
  settings: { host: 'pbx.example', lines: 2 },
  secretsSet: ['password'],
  lastChange: '2026-03-01T06:00:00',
};
const names = { name: 'Name', priority: 'Order', enabled: 'In use' };

test('a new channel comes behind those of its medium', () => {
  expect(newDraft(kind, 'Voice', [channel])).toMatchObject({ medium: 'Voice', priority: '5' });
  expect(newDraft(kind, 'Email', [channel])).toMatchObject({ medium: 'Voice', name: 'Telephone (SIP)' });
  expect(newDraft(kind, 'Sms', [channel])).toMatchObject({ medium: 'Sms', priority: '1' });
});

test('a channel that is saved unchanged sends what was read, and no secret', () => {
  expect(bodyOf(draftOf(channel, kind), fields)).toEqual({
    name: 'Works PBX',
    kind: 'sip',
    medium: 'Voice',
    priority: 4,
    enabled: true,
    settings: { host: 'pbx.example', lines: 2 },
  });
});

test('the request that is shown has dots for a secret that was typed', () => {
  const draft = draftOf(channel, kind);
  const typed = { ...draft, values: { ...draft.values, password: 'secret' } };
  expect(bodyOf(typed, fields).settings).toMatchObject({ password: 'secret' });
  expect(JSON.stringify(shownBody(typed, fields))).not.toContain('secret"');
});

test('a conflict names the settings that differ', () => {
  const theirs = draftOf({ ...channel, enabled: false, settings: { host: 'other.example', lines: 2 } }, kind);
  expect(differencesOf(theirs, draftOf(channel, kind), { fields, names })).toEqual([
    { name: 'In use', theirs: 'false', mine: 'true' },
    { name: 'Telephone system', theirs: 'other.example', mine: 'pbx.example' },
  ]);
});
