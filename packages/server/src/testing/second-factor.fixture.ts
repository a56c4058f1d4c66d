import type { RecoveryCodes, TotpSecret } from '@tocsin/contract';
import { totpCode, totpStep } from '../identity/second-factors/totp.ts';
import { createAuthenticator } from './authenticator.fixture.ts';
import { addUser, type Door, type NewUser } from './identity.fixture.ts';
import type { FakeClock } from './plant.fixture.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export type Person = { id: number; token: string };

/** A user who has logged in with the password. */
export async function arrive(
  runtime: Parameters<typeof addUser>[0],
  door: Door,
  user: NewUser = {},
): Promise<Person> {
  const id = await addUser(runtime, user);
  const { access_token: token } = (await door.logIn(user.username)).json<{ access_token: string }>();
  return { id, token };
}

export type App = { code(steps?: number): string; recoveryCodes: string[] };

/** Sets up an authenticator app; `code` is what it shows now, or some steps of 30 seconds from now. */
export async function setUpApp(door: Door, clock: FakeClock, { id, token }: Person): Promise<App> {
  const begun = await door.post(token, `/users/${id}/totp`);
  const secret = fromBase32(begun.json<TotpSecret>().secret);
  const code = (steps = 0) => totpCode(secret, totpStep(clock.now()) + steps);
  const confirmed = await door.post(token, `/users/${id}/totp/confirmation`, { code: code() });
  const { recoveryCodes } = confirmed.json<RecoveryCodes>();
  if (!Array.isArray(recoveryCodes)) throw new Error(`${begun.body} ${confirmed.body}`);
  return { code, recoveryCodes };
}

/** Sets up a passkey, and returns the device. A `counter` of 0 is that of a device that does not count. */
export async function setUpPasskey(door: Door, { id, token }: Person, faults: { counter?: number } = {}) {
  const device = createAuthenticator();
  const options = (await door.post(token, `/users/${id}/passkeys/options`)).json<{ challenge: string }>();
  const body = { name: 'Telephone', response: device.create(options, faults) };
  const added = await door.post(token, `/users/${id}/passkeys`, body);
  if (added.statusCode !== 200) throw new Error(added.body);
  return { device, added: added.json<{ id: number; recoveryCodes: string[] }>() };
}

/** The challenge of a log-in by passkey. */
export async function challengeOf(door: Door, body: object = {}): Promise<{ challenge: string }> {
  const asked = { method: 'POST', url: '/api/v1/auth/passkey-options', payload: body } as const;
  return (await door.send(asked)).json();
}

/** Enters the password, and returns the token for the second step. */
export async function enterPassword(door: Door, username = 'anna'): Promise<string> {
  return (await door.logIn(username)).json<{ mfa_token: string }>().mfa_token;
}

export function secondStep(door: Door, stepToken: string, fields: Record<string, string>) {
  return door.form({ grant_type: 'second_factor', mfa_token: stepToken, ...fields });
}
