import { LoginForm, type LoginRefused } from '@tocsin/contract';
import type { Static } from 'typebox';
import type { GivenFactor } from './complete-log-in.ts';

type Form = Static<typeof LoginForm>;
type Refusal = LoginRefused;

export type Grant =
  | { grant: 'password'; username: string; password: string; inCookie: boolean }
  | { grant: 'refresh_token'; refreshToken: string; inCookie: boolean }
  | { grant: 'second_factor'; stepToken: string; given: GivenFactor; inCookie: boolean }
  | { grant: 'passkey'; proof: string; inCookie: boolean };

export const malformed: Refusal = {
  error: 'invalid_request',
  error_description: 'Send grant_type and its fields, once each',
};

/** The same answer whether the user is unknown, disabled or has another password. */
export const refusals: Record<Grant['grant'], Refusal> = {
  password: { error: 'invalid_grant', error_description: 'The user name or password is wrong' },
  refresh_token: { error: 'invalid_grant', error_description: 'The refresh token is not valid' },
  second_factor: {
    error: 'invalid_grant',
    error_description: 'The second factor is wrong, or the log-in has expired: then begin with the password',
  },
  passkey: { error: 'invalid_grant', error_description: 'The passkey is not valid here' },
};

/** The grant that a form asks for, or the OAuth error that answers it. `cookie` is the refresh token of a browser. */
export function readGrant(form: Form, cookie: string | undefined): Grant | Refusal {
  const { grant_type, username, password } = form;
  const inCookie = asksForCookie(form);
  if (grant_type === 'password') {
    if (username !== undefined && password !== undefined)
      return { grant: 'password', username, password, inCookie };
    return { error: 'invalid_request', error_description: 'username and password are needed' };
  }
  if (grant_type === 'refresh_token') {
    // A browser without the cookie has no session, which is no fault of its request.
    const refreshToken = inCookie ? (cookie ?? '') : form.refresh_token;
    if (refreshToken !== undefined) return { grant: 'refresh_token', refreshToken, inCookie };
    return { error: 'invalid_request', error_description: 'refresh_token is needed' };
  }
  if (grant_type === 'second_factor') return secondFactorGrant(form, inCookie);
  if (grant_type === 'passkey') {
    if (form.passkey !== undefined) return { grant: 'passkey', proof: form.passkey, inCookie };
    return { error: 'invalid_request', error_description: 'passkey is needed' };
  }
  return {
    error: 'unsupported_grant_type',
    error_description: 'grant_type is password, refresh_token, second_factor or passkey',
  };
}

function secondFactorGrant(form: Form, inCookie: boolean): Grant | Refusal {
  const given = givenFactors(form);
  const [first, ...others] = given;
  if (form.mfa_token === undefined || first === undefined || others.length > 0)
    return {
      error: 'invalid_request',
      error_description: 'mfa_token and one of totp, recovery_code and passkey are needed',
    };
  return { grant: 'second_factor', stepToken: form.mfa_token, given: first, inCookie };
}

function givenFactors({ totp, recovery_code, passkey }: Form): GivenFactor[] {
  return [
    ...(totp === undefined ? [] : [{ kind: 'totp', code: totp } as const]),
    ...(recovery_code === undefined ? [] : [{ kind: 'recovery', code: recovery_code } as const]),
    ...(passkey === undefined ? [] : [{ kind: 'passkey', proof: passkey } as const]),
  ];
}

/** Whether the browser keeps the refresh token in a cookie. */
function asksForCookie({ cookie }: Pick<Form, 'cookie'>): boolean {
  return cookie === '1';
}

/**
 * The known fields of a log-in form. A repeated field stays a list, which the schema refuses, and an empty one counts as
 * absent (RFC 6749 §3.2).
 */
export function readLoginForm(text: string): Record<string, string | string[]> {
  const form = new URLSearchParams(text);
  const fields: Record<string, string | string[]> = {};
  for (const name of Object.keys(LoginForm.properties)) {
    // PostgreSQL text cannot hold NUL.
    const values = form.getAll(name).map((value) => value.replaceAll('\u0000', '\uFFFD'));
    const [value] = values;
    if (value !== undefined && value !== '') fields[name] = values.length === 1 ? value : values;
  }
  return fields;
}
