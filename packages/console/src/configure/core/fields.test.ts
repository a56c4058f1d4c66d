import { expect, test } from 'vitest';
import {
  differentFields,
  type Fields,
  mergeDrafts,
  missingFields,
  moved,
  toBody,
  toDraft,
} from './fields.ts';

const fields: Fields = {
  name: { kind: 'text', isRequired: true },
  localizedName: { kind: 'text' },
  stationIds: { kind: 'references', of: 'stations', none: 'allStations', sentIfEmpty: [0] },
  ackTimeout: { kind: 'number', min: 5, max: 60 },
  password: { kind: 'secret', minLength: 12 },
  roster: { kind: 'kept' },
};

test('a new object begins with empty fields, and sends only what somebody has entered', () => {
  const draft = toDraft(fields);
  expect(draft).toEqual({
    name: '',
    localizedName: '',
    stationIds: [],
    ackTimeout: undefined,
    password: '',
    roster: undefined,
  });
  expect(toBody(fields, { ...draft, name: ' Night ' })).toEqual({ name: 'Night', stationIds: [0] });
});

test('what another page changes is sent back as it was read', () => {
  const roster = { slotMinutes: 60, slots: [] };
  const item = { id: 1, name: 'Night', localizedName: 'Nuit', stationIds: [2], ackTimeout: 60, roster };
  expect(toBody(fields, toDraft(fields, item))).toEqual({
    name: 'Night',
    localizedName: 'Nuit',
    stationIds: [2],
    ackTimeout: 60,
    roster,
  });
});

test('of two people who change different fields, both changes are kept', () => {
  const base = toDraft(fields, { name: 'Night', localizedName: 'Nuit', ackTimeout: 60 });
  const mine = { ...base, ackTimeout: 90 };
  const theirs = { ...base, localizedName: 'La nuit' };
  const merged = mergeDrafts(fields, base, { mine, theirs });
  expect(merged).toMatchObject({ localizedName: 'La nuit', ackTimeout: 90 });
  expect(differentFields(fields, merged, theirs)).toEqual(['ackTimeout']);
});

test('a field that both have changed is mine', () => {
  const base = toDraft(fields, { name: 'Night' });
  const merged = mergeDrafts(fields, base, { mine: { ...base, name: 'A' }, theirs: { ...base, name: 'B' } });
  expect(merged['name']).toBe('A');
});

test('a name of spaces is missing', () => {
  expect(missingFields(fields, { name: '  ' })).toEqual(['name']);
  expect(missingFields(fields, { name: 'Night' })).toEqual([]);
});

test('the first of an order cannot move up, nor the last down', () => {
  expect(moved(['a', 'b'], 1, -1)).toEqual(['b', 'a']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});
