import type { Unsubscribe } from '../common/listeners.ts';
import type { Clock } from '../common/system-clock.ts';
import { isTokenRefused } from '../hub/hub-link.ts';
import type { FeedSession, SessionUser } from '../session/session.ts';
import { type FeedLink, type FeedParts, openFeedLink, type Position } from './feed-link.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { isPageHidden, onPageReturn } from './page-events.ts';
import { createWaits } from './waits.ts';

export type ConnectorParts = Pick<FeedParts, 'api' | 'store' | 'onAlarmChange' | 'onSound'> & {
  readonly session: FeedSession;
  readonly now: Clock;
  readonly heartbeatMs: number;
};

type Connected = { readonly link: FeedLink; readonly token: string; readonly expiresAt: number };

const retryMs = 1_000;
/** The first try after a loss, in which a server that only restarts or passes its clients on is not missed yet. */
const quickRetryMs = 250;
/** A connection takes the place of another this long before the token of that one ends. */
const renewBeforeMs = 60_000;
const leastRenewMs = 1_000;
/** After this time the list is shorter to read than the changes. */
const longLossMs = 120_000;
/** A visible page runs all the time, unless the machine sleeps. */
const sleepMs = 10_000;
/** A sleep of the machine, not a hidden page, whose timers browsers run once a minute. */
const longSleepMs = 600_000;
/** The longest time of a timer: somebody will log in before. */
const untilWokenMs = 2_147_483_647;

/** Clients of a server that died must not come back all at once. */
const jittered = (ms: number) => ms * (0.7 + 0.6 * Math.random());

/** Keeps one connection to the hub, replaces it before its token ends, and tries for ever to get it back. */
export class Connector {
  readonly #parts: ConnectorParts;
  readonly #retries = createWaits();
  readonly #renewals = createWaits();
  #position: Position = { seq: undefined, toldSeq: 0 };
  #running: AbortController | undefined;
  #current: FeedLink | undefined;
  #heartbeat: Heartbeat | undefined;
  #user: SessionUser | undefined;
  #lastHeard: number | undefined;
  #startedAt = 0;
  #mustReadList = false;
  #cleanUps: Unsubscribe[] = [];

  constructor(parts: ConnectorParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#running) return;
    const { session, now, heartbeatMs } = this.#parts;
    this.#startedAt = now();
    this.#user = session.user;
    this.#heartbeat = startHeartbeat(heartbeatMs, now, {
      ping: () => this.#current?.ping(),
      onLate: () => this.#parts.store.setConnection('late'),
      onLost: () => {
        this.#setLost();
        this.#drop();
      },
      onJump: (ms) => this.#onJump(ms),
    });
    this.#cleanUps = [
      session.subscribe(() => this.#onSession()),
      onPageReturn(() => this.retryNow()),
      this.#heartbeat.stop,
    ];
    this.#begin();
  }

  stop(): void {
    if (!this.#running) return;
    this.#running.abort();
    this.#running = undefined;
    for (const cleanUp of this.#cleanUps) cleanUp();
    this.#drop();
    this.#setLost();
  }

  retryNow(): void {
    this.#retries.wake();
    this.#current?.ping();
  }

  #begin(): void {
    this.#running?.abort();
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { session, store } = this.#parts;
    while (!signal.aborted) {
      if (session.state === 'signed-out') {
        this.#setLost();
        await this.#retries.sleep(untilWokenMs, signal);
        continue;
      }
      try {
        await this.#follow(await this.#connect(signal), signal);
        if (signal.aborted) return;
        if (store.connection() === 'live') store.setConnection('late');
        await this.#retries.sleep(quickRetryMs * Math.random(), signal);
      } catch {
        if (signal.aborted) return;
        this.#setLost();
        await this.#retries.sleep(jittered(retryMs), signal);
      }
    }
  }

  /** Opens a connection and brings the lists up to date. `replaced` is the token of the one whose place it takes. */
  async #connect(signal: AbortSignal, replaced?: string): Promise<Connected> {
    const { session, now } = this.#parts;
    const token = await session.accessToken(replaced);
    const expiresAt = session.tokenExpiresAt ?? now();
    const isLongLoss = this.#lastHeard === undefined || now() - this.#lastHeard > longLossMs;
    // Reading the list now and then mends what no change has told, such as new rights of the user.
    const readList = this.#mustReadList || isLongLoss || replaced !== undefined;
    const position = this.#position;
    const onHeard = () => this.#onHeard();
    const link = await openFeedLink({ ...this.#parts, position, onHeard }, token).catch(async (error) => {
      // A revoked token looks valid until its end: only a new one tells whether there still is a session.
      if (isTokenRefused(error)) await session.accessToken(token);
      throw error;
    });
    signal.addEventListener('abort', link.drop);
    try {
      const onReplace = () => {
        signal.throwIfAborted();
        this.#drop();
      };
      await link.synchronize({ readList, signal, onReplace });
      signal.throwIfAborted();
    } catch (error) {
      link.drop();
      throw error;
    }
    this.#mustReadList = false;
    this.#current = link;
    this.#heartbeat?.begin();
    this.#onHeard();
    return { link, token, expiresAt };
  }

  /** Resolves when the connection has ended. Another one takes its place in time, so that its token never ends it. */
  async #follow(first: Connected, signal: AbortSignal): Promise<void> {
    let connected = first;
    for (;;) {
      const lifetimeMs = connected.expiresAt - this.#parts.now();
      const renewMs = Math.max(leastRenewMs, lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 2));
      const ended = await this.#untilEnd(connected.link, renewMs);
      if (ended) {
        if (ended.byServer) this.#mustReadList = true;
        if (this.#current === connected.link) this.#drop();
        return;
      }
      try {
        connected = await this.#connect(signal, connected.token);
      } catch (error) {
        if (!this.#current) throw error;
      }
    }
  }

  /** How the connection has ended, or undefined after the given time. */
  async #untilEnd({ closed }: FeedLink, ms: number): Promise<{ byServer: boolean } | undefined> {
    const waiting = new AbortController();
    const waited = this.#renewals.sleep(ms, waiting.signal).then(() => undefined);
    const ended = await Promise.race([closed, waited]);
    waiting.abort();
    return ended;
  }

  #onHeard(): void {
    const { store, now } = this.#parts;
    this.#lastHeard = now();
    this.#heartbeat?.heard();
    store.setLastHeard(this.#lastHeard);
    if (this.#current) store.setConnection('live');
  }

  /** After a sleep the list is old until a new connection has made up for what was missed. */
  #onJump(ms: number): void {
    if (Math.abs(ms) >= longSleepMs) {
      this.#mustReadList = true;
      this.#drop();
    }
    const { store } = this.#parts;
    const hasSlept = ms >= sleepMs && !isPageHidden();
    if (hasSlept) {
      this.#setLost();
      this.#drop();
    } else if (store.connection() === 'live') store.setConnection('late');
    this.#retries.wake();
  }

  /** Another user must not see what this one was shown. */
  #onSession(): void {
    const { session, store } = this.#parts;
    if (session.user === this.#user) return;
    this.#user = session.user;
    this.#position = { seq: undefined, toldSeq: 0 };
    this.#lastHeard = undefined;
    this.#drop();
    store.clear();
    this.#begin();
  }

  #setLost(): void {
    this.#parts.store.setConnection('lost', this.#lastHeard ?? this.#startedAt);
  }

  #drop(): void {
    this.#current?.drop();
    this.#current = undefined;
    this.#heartbeat?.pause();
  }
}
