import { exchange, type Fetch } from '../http/exchange.ts';
import { readProblem } from '../http/problem-error.ts';

/** The answer to a log-in or a refresh. The refresh token is in a cookie that scripts cannot read. */
export type GrantedToken = {
  readonly access_token: string;
  readonly expires_in: number;
  readonly id: string;
  readonly name: string;
};

export type TokenRequests = {
  logIn(username: string, password: string): Promise<GrantedToken>;
  /** Another step or way of a log-in, with the fields of its form. */
  grant(fields: Readonly<Record<string, string>>): Promise<GrantedToken>;
  refresh(): Promise<GrantedToken>;
  logOut(token: string): Promise<void>;
};

export function createTokenRequests(fetch: Fetch, baseUrl: string): TokenRequests {
  const post = async (path: string, init: RequestInit) => {
    const url = `${baseUrl}/api/v1/auth/${path}`;
    const response = await exchange(fetch, url, { method: 'POST', credentials: 'same-origin', ...init });
    if (!response.ok) throw await readProblem(response);
    return response;
  };
  const grant = async (fields: Readonly<Record<string, string>>) => {
    const response = await post('login', { body: new URLSearchParams({ ...fields, cookie: '1' }) });
    return (await response.json()) as GrantedToken;
  };
  return {
    grant,
    logIn: (username, password) => grant({ grant_type: 'password', username, password }),
    refresh: () => grant({ grant_type: 'refresh_token' }),
    logOut: async (token) => void (await post('logout', { headers: { authorization: `Bearer ${token}` } })),
  };
}
