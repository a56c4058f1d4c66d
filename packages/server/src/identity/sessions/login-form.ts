import { LoginForm, type LoginRefused } from '@tocsin/contract';
import type { Static } from 'typebox';

type Form = Static<typeof LoginForm>;
type Refusal = Static<typeof LoginRefused>;

export type Grant =
  | { grant: 'password'; username: string; password: string; inCookie: boolean }
  | { grant: 'refresh_token'; refreshToken: string; inCookie: boolean };

export const malformed: Refusal = {
  error: 'invalid_request',
  error_description: 'Send grant_type and its fields, once each',
};

/** The same answer whether the user is unknown, disabled or has another password. */
export const refusals: Record<Grant['grant'], Refusal> = {
  password: { error: 'invalid_grant', error_description: 'The user name or password is wrong' },
  refresh_token: { error: 'invalid_grant', error_description: 'The refresh token is not valid' },
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
  return {
    error: 'unsupported_grant_type',
    error_description: 'grant_type is password or refresh_token',
  };
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
