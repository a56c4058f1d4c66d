import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { givenSecrets, withoutSecrets } from './without-secrets.ts';

const Phone = Type.Object({ number: Type.String(), pin: Type.String({ writeOnly: true }) });
const Guard = Type.Object({
  name: Type.String(),
  password: Type.Optional(Type.String({ writeOnly: true })),
  phones: Type.Array(Phone),
});

test('secrets and unknown members do not get into the trail', () => {
  const guard = {
    name: 'Anna',
    password: 'hunter2 hunter2',
    passwordHash: 'hunter2',
    phones: [{ number: '112', pin: '4711', puk: '4712' }],
  };
  expect(withoutSecrets(Guard, guard)).toEqual({ name: 'Anna', phones: [{ number: '112' }] });
});

test('the trail names the secrets that were set', () => {
  expect(givenSecrets(Guard, { name: 'Anna', password: 'hunter2 hunter2' })).toEqual(['password']);
  expect(givenSecrets(Guard, { name: 'Anna' })).toEqual([]);
});
