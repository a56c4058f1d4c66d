import { randomBytes } from 'node:crypto';
import { CommandError } from '../../common/command-error.ts';
import { visitor } from '../folder/start-server.ts';

/** Links that open the console once, without a password. */
export type SignInLinks = {
  /** A new code; the former one is void. */
  renew(): string;
  /** The cookie of a new session, if this is the present code. */
  redeem(code: string): Promise<string | undefined>;
};

export function createSignInLinks({ url, password }: { url: string; password: string }): SignInLinks {
  let present: string | undefined;
  return {
    renew: () => (present = randomBytes(9).toString('base64url')),
    redeem: async (code) => {
      if (present === undefined || code !== present) return undefined;
      present = undefined;
      return logInForCookie(url, password);
    },
  };
}

/** Logs in as a page of the server does, which gets its session in a cookie. */
async function logInForCookie(url: string, password: string): Promise<string> {
  const form = { grant_type: 'password', username: visitor, password, cookie: '1' };
  const body = new URLSearchParams(form);
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  const cookie = answer.headers.get('set-cookie');
  await answer.body?.cancel();
  if (cookie === null) throw new CommandError(`The server did not log the demo in: HTTP ${answer.status}.`);
  return cookie;
}
