import { LoginForm, type LoginRefused } from '@tocsin/contract';
import type { Static } from 'typebox';

type Form = Static<typeof LoginForm>;
type Refusal = Static<typeof LoginRefused>;

export type Grant =
  | { grant: 'password'; username: string; password: string }
  | { grant: 'refresh_token'; refreshToken: string };

export const malformed: Refusal = {
  error: 'invalid_request',
  error_description: 'Send grant_type and its fields, once each',
};

/** The same whether the user is unknown, disabled or has another password. */
export const refusals: Record<Grant['grant'], Refusal> = {
  password: { error: 'invalid_grant', error_description: 'The user name or password is wrong' },
  refresh_token: { error: 'invalid_grant', error_description: 'The refresh token is not valid' },
};

/** What a form asks for, or the OAuth error that answers it. */
export function readGrant({ grant_type, username, password, refresh_token }: Form): Grant | Refusal {
  if (grant_type === 'password') {
    if (username !== undefined && password !== undefined) return { grant: 'password', username, password };
    return { error: 'invalid_request', error_description: 'username and password are needed' };
  }
  if (grant_type === 'refresh_token') {
    if (refresh_token !== undefined) return { grant: 'refresh_token', refreshToken: refresh_token };
    return { error: 'invalid_request', error_description: 'refresh_token is needed' };
  }
  return {
    error: 'unsupported_grant_type',
    error_description: 'grant_type is password or refresh_token',
  };
}

/**
 * The fields of a form that a log-in knows. A field that comes twice stays a list, which the schema refuses, and
 * one without a value counts as absent (RFC 6749 §3.2).
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
