import { exchange, type FeedSession, ProblemError, readProblem } from '@tocsin/client';
import type { LoginAnswer } from '@tocsin/contract';
import type { LogInDetails } from './connection-options.ts';

/** A session that was begun with a password. Its token is renewed before it ends. */
export type LogInSession = FeedSession & {
  readonly granted: LoginAnswer;
  logOut(): Promise<void>;
};

/** A token is renewed this long before its end, so that no request begins with one that ends on the way. */
const spareMs = 30_000;

type Server = { readonly baseUrl: string; now(): number };

/** Logs in. Throws a `ProblemError` with code `mfa_required` if the account needs a second factor that was not given. */
export async function logIn(server: Server, details: LogInDetails): Promise<LogInSession> {
  return openSession(server, details, await logInOnce(server, details));
}

async function logInOnce(server: Server, { username, password, totp }: LogInDetails): Promise<LoginAnswer> {
  try {
    return await grant(server, { grant_type: 'password', username, password });
  } catch (error) {
    const token = error instanceof ProblemError ? error.secondStep?.token : undefined;
    if (token === undefined || totp === undefined) throw error;
    return grant(server, { grant_type: 'second_factor', mfa_token: token, totp });
  }
}

function openSession(server: Server, details: LogInDetails, first: LoginAnswer): LogInSession {
  let granted = first;
  let expiresAt = server.now() + first.expires_in * 1_000;
  let state: FeedSession['state'] = 'signed-in';
  let refreshing: Promise<string> | undefined;

  /** A session that the server has ended is begun again with the password. */
  const refreshOrLogIn = async () => {
    const { refresh_token: refreshToken = '' } = granted;
    try {
      return await grant(server, { grant_type: 'refresh_token', refresh_token: refreshToken });
    } catch (error) {
      if (!isEnd(error)) throw error;
      return logInOnce(server, { ...details, totp: undefined });
    }
  };
  const renew = async () => {
    try {
      granted = await refreshOrLogIn();
    } catch (error) {
      if (isEnd(error)) state = 'signed-out';
      throw error;
    }
    expiresAt = server.now() + granted.expires_in * 1_000;
    return granted.access_token;
  };
  return {
    get state() {
      return state;
    },
    get granted() {
      return granted;
    },
    get tokenExpiresAt() {
      return expiresAt;
    },
    user: undefined,
    subscribe: () => () => {},
    accessToken: async (rejected) => {
      if (granted.access_token !== rejected && expiresAt - spareMs > server.now())
        return granted.access_token;
      refreshing ??= renew().finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
    logOut: async () => {
      const headers = { authorization: `Bearer ${granted.access_token}` };
      await exchange(fetch, `${server.baseUrl}/api/v1/auth/logout`, { method: 'POST', headers });
    },
  };
}

const isEnd = (error: unknown) =>
  error instanceof ProblemError &&
  (error.status === 401 || error.code === 'invalid_grant' || error.code === 'mfa_required');

async function grant({ baseUrl }: Server, fields: Record<string, string>): Promise<LoginAnswer> {
  const body = new URLSearchParams(fields);
  const response = await exchange(fetch, `${baseUrl}/api/v1/auth/login`, { method: 'POST', body });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as LoginAnswer;
}
