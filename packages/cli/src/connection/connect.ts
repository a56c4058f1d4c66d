import { type Api, createApi, type FeedSession } from '@tocsin/client';
import type { Invocation } from '../command/command.ts';
import { readCredentials, readUrl } from './connection-options.ts';
import { logIn } from './log-in-session.ts';
import { patientApi } from './patient-api.ts';

export type Connection = { readonly api: Api; readonly session: FeedSession };

/** API keys do not tell when they end: the feed opens a new connection after this time, which nobody notices. */
const keyLifetimeMs = 24 * 60 * 60 * 1_000;

/** Runs a task with the API of the server. A session that this has begun is ended afterwards. */
export async function withServer<Result>(
  { values, surroundings }: Pick<Invocation, 'values' | 'surroundings'>,
  task: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { environment, now } = surroundings;
  const baseUrl = readUrl(values, environment);
  const credentials = readCredentials(values, environment);
  warnOfPlainText(baseUrl, surroundings.stderr);
  const connectionOf = (session: FeedSession) => ({
    session,
    api: patientApi(createApi(session, { baseUrl })),
  });
  if (credentials.kind === 'token') return task(connectionOf(tokenSession(credentials.token, now)));
  const session = await logIn({ baseUrl, now }, credentials);
  try {
    return await task(connectionOf(session));
  } finally {
    // The session ends by itself if the server is gone.
    await session.logOut().catch(() => undefined);
  }
}

/** A token that was given cannot be renewed. */
function tokenSession(token: string, now: () => number): FeedSession {
  return {
    state: 'signed-in',
    user: undefined,
    get tokenExpiresAt() {
      return expiryOf(token) ?? now() + keyLifetimeMs;
    },
    accessToken: async () => token,
    subscribe: () => () => {},
  };
}

/** The end of an access token, in milliseconds since 1970; undefined for an API key. */
function expiryOf(token: string): number | undefined {
  try {
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { exp } = JSON.parse(claims) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}

export function warnOfPlainText(baseUrl: string, stderr: NodeJS.WritableStream): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  stderr.write(`Warning: ${baseUrl} is not encrypted: others on the network can read your token.\n`);
}
