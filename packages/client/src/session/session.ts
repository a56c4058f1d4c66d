import { createListeners, type Unsubscribe } from '../common/listeners.ts';
import { inOneTab } from '../common/one-tab.ts';
import { type Clock, systemClock } from '../common/system-clock.ts';
import { type Fetch, pageFetch } from '../http/exchange.ts';
import { ProblemError } from '../http/problem-error.ts';
import { type AccessToken, ownerOf } from './access-token.ts';
import { createTokenRequests, type GrantedToken, type TokenRequests } from './token-requests.ts';

/** `unknown` until the page has asked whether the browser still has a session. */
export type SessionState = 'unknown' | 'signed-out' | 'signed-in';

/** Why nobody is signed in: the server has ended the session, or somebody else has logged in in another tab. */
export type SessionEnd = 'ended' | 'other-user';

/** One of the three proofs. `passkey` is the answer of the authenticator in JSON. */
export type SecondFactor =
  | { readonly totp: string }
  | { readonly recovery_code: string }
  | { readonly passkey: string };

export type SessionUser = { readonly id: number; readonly name: string };

export type Session = {
  readonly state: SessionState;
  readonly user: SessionUser | undefined;
  /** Undefined while somebody is signed in, and after they have signed out themselves. */
  readonly end: SessionEnd | undefined;
  /**
   * Throws a `ProblemError`: 400 for a wrong name or password, 429 with `retryAfterSeconds` after many, and
   * `mfa_required` with `secondStep` if a second factor completes it.
   */
  logIn(username: string, password: string): Promise<void>;
  /** Completes the log-in with a second factor. */
  completeLogIn(token: string, factor: SecondFactor): Promise<void>;
  /** Logs in without a password. `passkey` is the answer of the authenticator in JSON. */
  logInWithPasskey(passkey: string): Promise<void>;
  /** Continues the session of an earlier visit; false if there is none. Throws if the server does not answer. */
  restore(): Promise<boolean>;
  /** Throws and stays signed in if the server does not answer, because only the server can delete the cookie. */
  logOut(): Promise<void>;
  /** A token that is valid for a while. `rejected` is one that the server has refused. */
  accessToken(rejected?: string): Promise<string>;
  /** Milliseconds since 1970 at which the present token ends; undefined without one. */
  readonly tokenExpiresAt: number | undefined;
  subscribe(listener: () => void): Unsubscribe;
};

/** The part of a session that the live feed needs. */
export type FeedSession = Pick<Session, 'state' | 'user' | 'accessToken' | 'tokenExpiresAt' | 'subscribe'>;

export type SessionOptions = {
  /** Host and base path of the server; by default the host of the page. */
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
  readonly now?: Clock;
};

/** A token is renewed this long before its end, so that no request begins with one that ends on the way. */
const spareMs = 30_000;
/** Two tabs that send the same cookie look like a thief; on pages without locks the server waits a little before it says so. */
const lockName = 'tocsin-refresh';

export function createSession({
  baseUrl = '',
  fetch = pageFetch,
  now = systemClock,
}: SessionOptions = {}): Session {
  return new BrowserSession(createTokenRequests(fetch, baseUrl), now);
}

/** Its methods are bound, so that they can be passed on by themselves. */
class BrowserSession implements Session {
  readonly #requests: TokenRequests;
  readonly #now: Clock;
  readonly #changed = createListeners();
  #state: SessionState = 'unknown';
  #user: SessionUser | undefined;
  #end: SessionEnd | undefined;
  #token: AccessToken | undefined;
  #refreshing: Promise<string> | undefined;

  constructor(requests: TokenRequests, now: Clock) {
    this.#requests = requests;
    this.#now = now;
  }

  get state(): SessionState {
    return this.#state;
  }

  get user(): SessionUser | undefined {
    return this.#user;
  }

  get end(): SessionEnd | undefined {
    return this.#end;
  }

  get tokenExpiresAt(): number | undefined {
    return this.#token?.expiresAt;
  }

  readonly subscribe = this.#changed.add;

  readonly logIn = async (username: string, password: string): Promise<void> => {
    this.#begin(await this.#requests.logIn(username, password));
  };

  readonly completeLogIn = async (token: string, factor: SecondFactor): Promise<void> => {
    this.#begin(await this.#requests.grant({ grant_type: 'second_factor', mfa_token: token, ...factor }));
  };

  readonly logInWithPasskey = async (passkey: string): Promise<void> => {
    this.#begin(await this.#requests.grant({ grant_type: 'passkey', passkey }));
  };

  readonly restore = async (): Promise<boolean> => {
    if (this.#state === 'signed-out') this.#state = 'unknown';
    try {
      await this.accessToken();
      return true;
    } catch (error) {
      if (endsSession(error)) return false;
      throw error;
    }
  };

  readonly logOut = async (): Promise<void> => {
    try {
      await this.#requests.logOut(await this.accessToken());
    } catch (error) {
      if (!endsSession(error)) throw error;
    }
    this.#signOut();
  };

  readonly accessToken = async (rejected?: string): Promise<string> => {
    const token = this.#token;
    if (this.#state === 'signed-out') throw signedOut();
    if (token && token.text !== rejected && token.expiresAt - spareMs > this.#now()) return token.text;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  };

  async #refresh(): Promise<string> {
    const owner = this.#token?.owner;
    try {
      const granted = await inOneTab(lockName, this.#requests.refresh);
      // Somebody else has logged in, in another tab: this one must not act in their name unnoticed.
      if (owner !== undefined && ownerOf(granted.access_token) !== owner) {
        this.#end = 'other-user';
        throw signedOut();
      }
      this.#signIn(granted);
      return granted.access_token;
    } catch (error) {
      if (endsSession(error)) this.#signOut(this.#end ?? 'ended');
      throw error;
    }
  }

  #begin(granted: GrantedToken): void {
    // A user of another tenant may have the same number and name.
    this.#state = 'unknown';
    this.#signIn(granted);
  }

  #signIn({ access_token: text, expires_in: seconds, id, name }: GrantedToken): void {
    this.#end = undefined;
    this.#token = { text, expiresAt: this.#now() + seconds * 1_000, owner: ownerOf(text) };
    const isSame = this.#state === 'signed-in' && this.#user?.id === Number(id) && this.#user.name === name;
    if (isSame) return;
    this.#state = 'signed-in';
    this.#user = { id: Number(id), name };
    this.#changed.tell();
  }

  #signOut(end?: SessionEnd): void {
    const wasOut = this.#state === 'signed-out';
    this.#end = end;
    this.#state = 'signed-out';
    this.#user = undefined;
    this.#token = undefined;
    if (!wasOut) this.#changed.tell();
  }
}

function signedOut(): ProblemError {
  return new ProblemError({ status: 401, code: 'not-authenticated', title: 'Nobody is signed in' });
}

/** Whether the server has said that there is no session, unlike a failure that may pass. */
function endsSession(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.status === 401 || error.code === 'invalid_grant';
}
