import type { FamilyContext } from '../family.ts';
import type { CloseReason, HubConnection, Identity, Join, Transport } from '../hub.ts';
import type { HubMessage } from '../hub-message.ts';
import type { Carrier, Ending } from './carrier.ts';
import { stateBytes } from './classic-timings.ts';

/** Messages that may wait for the hub to say where the client begins. */
const mostHeld = 10_000;

export type ClassicConnectionOptions<User> = {
  readonly context: FamilyContext<User>;
  readonly id: string;
  readonly identity: Identity<User>;
  readonly transport: Transport;
  readonly carrier: Carrier;
  /** Whether the client has callbacks for the hub; without, it gets nothing. */
  readonly isListed: boolean;
  keepState(state: string): void;
  /** Told once, whatever ended it. */
  onEnd(): void;
};

/**
 * One way to a client and its membership of the hub. A client that comes back gets a new one, which joins where the
 * client says it is, so that the hub replays exactly.
 */
export class ClassicConnection<User> implements HubConnection<User> {
  readonly family = 'classic';
  readonly #options: ClassicConnectionOptions<User>;
  readonly #carrier: Carrier;
  #held: HubMessage[] | undefined = [];
  #hasJoined = false;
  #takes: boolean;
  #isEnded = false;

  constructor(options: ClassicConnectionOptions<User>) {
    this.#options = options;
    this.#carrier = options.carrier;
    this.#takes = options.isListed;
  }

  get id(): string {
    return this.#options.id;
  }

  get identity(): Identity<User> {
    return this.#options.identity;
  }

  get transport(): Transport {
    return this.#options.transport;
  }

  get carrier(): Carrier {
    return this.#carrier;
  }

  get isOpen(): boolean {
    return !this.#isEnded;
  }

  /** Without what waits for the hub to say where the client begins: a hub that waited for that would wait for ever. */
  get pendingBytes(): number {
    return this.#carrier.pendingBytes;
  }

  send(message: HubMessage): void {
    if (!this.#takes) return;
    if (this.#held === undefined) {
      if (!this.#carrier.push(message)) this.#cut();
    } else if (this.#held.length < mostHeld) this.#held.push(message);
    else this.#takes = false;
  }

  close({ error, allowReconnect }: CloseReason): void {
    if (allowReconnect) this.end({ kind: 'reconnect' });
    else this.end({ kind: 'error', error: error ?? 'The connection was closed by the server.' });
  }

  keepState(state: string, cursor?: string): void {
    if (Buffer.byteLength(state) > stateBytes) throw new RangeError('more state than a client may carry');
    if (cursor !== undefined && this.#held === undefined) this.#carrier.moveTo(cursor);
    this.#options.keepState(state);
  }

  /** Where the client begins. Undefined when it was closed meanwhile, or the hub would not have it. */
  async join(join: Join): Promise<string | undefined> {
    const { context } = this.#options;
    let cursor: string | undefined;
    try {
      cursor = await context.hub.join(this, join);
    } catch (error) {
      if (!this.#isEnded)
        context.log.error({ err: error, connectionId: this.id }, 'hub could not take a connection in');
    }
    this.#hasJoined = true;
    if (this.#isEnded) this.#leave();
    else if (cursor === undefined) this.end({ kind: 'reconnect' });
    return this.#isEnded ? undefined : cursor;
  }

  /** Lets messages through, first those that came while the hub was asked. */
  begin(): void {
    const held = this.#held ?? [];
    const wasCutShort = !this.#takes && this.#options.isListed;
    this.#held = undefined;
    for (const message of held) {
      if (this.#isEnded) return;
      if (!this.#carrier.push(message)) this.#cut();
    }
    if (wasCutShort) this.#cut();
  }

  tellGroups(groupsToken: string): void {
    if (this.#held === undefined && !this.#isEnded) this.#carrier.tellGroups(groupsToken);
  }

  beat(now: number): void {
    const { expiresAt } = this.#options.identity;
    if (this.#isEnded) return;
    if (expiresAt !== undefined && expiresAt <= now) {
      this.end({ kind: 'error', error: 'The access token has expired.' });
    } else if (!this.#carrier.beat(now)) this.#cut();
  }

  end(ending: Ending): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#takes = false;
    this.#leave();
    this.#carrier.end(ending);
    this.#options.onEnd();
  }

  #cut(): void {
    if (this.#isEnded) return;
    const { counters, log } = this.#options.context;
    counters.tooSlow += 1;
    log.warn({ connectionId: this.id, transport: this.transport }, 'hub client is too slow');
    this.end({ kind: 'behind' });
  }

  #leave(): void {
    if (!this.#hasJoined) return;
    this.#hasJoined = false;
    const { hub, log } = this.#options.context;
    try {
      hub.leave(this);
    } catch (error) {
      log.error({ err: error, connectionId: this.id }, 'hub could not let a connection go');
    }
  }
}
