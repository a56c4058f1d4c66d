import { type ClientMessage, ProtocolError, type ServerMessage } from '../codec/hub-protocol.ts';
import type { FamilyContext } from '../family.ts';
import type { Beating } from '../heartbeat.ts';
import type { CloseReason, HubConnection, Identity, Transport } from '../hub.ts';
import type { HubMessage } from '../hub-message.ts';
import { LongPollSink } from '../transports/long-poll-sink.ts';
import type { Sink } from '../transports/sink.ts';
import { tooSlow } from '../transports/slow-consumer.ts';
import { Channel } from './channel.ts';
import { type Due, dueAt } from './due.ts';
import { type Handshake, handshakeAnswer, statefulVersion } from './handshake.ts';
import { Inbound } from './inbound.ts';
import { type HubMethods, Invocations } from './invocations.ts';
import { letGo } from './let-go.ts';
import { Pulse } from './pulse.ts';
import { takeMessage } from './take-message.ts';
import { untilDrained } from './until-drained.ts';

const normalClosure = 1000;

export type CoreConnectionOptions<User> = {
  readonly id: string;
  readonly identity: Identity<User>;
  /** Whether another socket may take it over. */
  readonly stateful: boolean;
  readonly methods: HubMethods<User>;
  /** Called once, when nothing can reach it any more. */
  gone(): void;
};

/** One client of the Core family, from its first byte to its end. */
export class CoreConnection<User> implements HubConnection<User>, Beating {
  readonly id: string;
  readonly family = 'core';
  readonly #context: FamilyContext<User>;
  readonly #options: CoreConnectionOptions<User>;
  readonly #channel: Channel;
  readonly #inbound: Inbound;
  readonly #pulse: Pulse;
  readonly #bornAt: number;
  #identity: Identity<User>;
  #isOpen = true;
  #isGone = false;
  #joined: Promise<void> | undefined;
  /** Whether the client has its handshake. */
  #isAnswered = false;
  #askedAt: number | undefined;
  /** Whether the hub has settled where the client begins. */
  #isPlaced = false;
  #invocations: Invocations<User> | undefined;
  #lostAt: number | undefined;

  constructor(context: FamilyContext<User>, options: CoreConnectionOptions<User>) {
    const now = context.clock();
    this.id = options.id;
    this.#context = context;
    this.#options = options;
    this.#identity = options.identity;
    this.#channel = new Channel(context.framer, context.limits);
    this.#inbound = new Inbound({
      limits: context.limits,
      clock: context.clock,
      isOpen: () => this.#isOpen,
      began: (handshake) => this.#begin(handshake),
      said: (message) => this.#take(message),
      failed: (error) => this.#reject(error),
    });
    this.#pulse = new Pulse(context.limits, now);
    this.#bornAt = now;
    context.counters.opened += 1;
    context.heartbeat.add(this);
  }

  get identity(): Identity<User> {
    return this.#identity;
  }

  get transport(): Transport {
    return this.#channel.transport ?? 'longPolling';
  }

  /** The transport, once there is one. */
  get boundTransport(): Transport | undefined {
    return this.#channel.transport;
  }

  get sink(): Sink | undefined {
    return this.#channel.sink;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get pendingBytes(): number {
    return this.#channel.pendingBytes;
  }

  /** Whether a second socket may take over from the first. */
  get canResume(): boolean {
    return this.#isOpen && this.#isAnswered && this.#channel.buffer !== undefined;
  }

  get contentType(): string {
    return this.#channel.handshake?.protocol.kind === 'binary' ? 'application/octet-stream' : 'text/plain';
  }

  /** A client may bring a newer token with a later request. */
  renew(identity: Identity<User>): void {
    const later = (identity.expiresAt ?? Infinity) > (this.#identity.expiresAt ?? Infinity);
    if (!later) return;
    // What it was let in with still holds for what it is sent, so other rights need another connection.
    if (this.#joined !== undefined && this.#context.hub.mayRenew?.(this, identity) === false)
      this.close({ allowReconnect: true });
    else this.#identity = identity;
  }

  bind(transport: Transport, sink: Sink): void {
    this.#channel.bind(transport, sink);
    this.#inbound.read(transport);
  }

  /** Another socket of the same client takes over. */
  resume(sink: Sink): void {
    const { handshake, sink: old } = this.#channel;
    if (handshake === undefined) return;
    this.#channel.lose();
    old?.destroy();
    this.#lostAt = undefined;
    this.#inbound.restart(handshake);
    this.#pulse.heard();
    this.#channel.resume(sink);
  }

  /** False when a client sends more than is kept for it before its transport is there. */
  receive(bytes: Buffer): boolean {
    if (!this.#isOpen) return true;
    this.#pulse.heard();
    return this.#inbound.add(bytes, this.#channel.transport);
  }

  send(message: HubMessage): void {
    if (!this.#isOpen) return;
    // A hub that sends has taken it in.
    this.#placed();
    this.#channel.push(message);
    this.#pulse.sent();
    if (this.#channel.isFull) this.#cut();
  }

  close({ error, allowReconnect }: CloseReason): void {
    if (!this.#isOpen) return;
    this.#answer();
    this.#channel.say({ kind: 'close', error, allowReconnect });
    this.#end();
  }

  keepState(): void {
    // Core clients have no place to keep it.
  }

  /** The transport ended. A socket that was cut, not closed, may be followed by another. */
  transportEnded(sink: Sink, wasCut: boolean): void {
    if (this.#channel.sink !== sink || !this.#isOpen) return;
    if (wasCut && this.canResume) {
      this.#channel.lose();
      this.#lostAt = this.#context.clock();
    } else this.#end();
  }

  /** Ends without a word, as the client asked. */
  end(): void {
    this.#end();
    this.#leaveAll();
  }

  beat(now: number): void {
    const { limits } = this.#context;
    const { sink } = this.#channel;
    if (sink instanceof LongPollSink) {
      sink.beat(now, limits.pollMs);
      if (sink.idleFor(now) >= limits.idleMs) return this.end();
    }
    if (!this.#isOpen) return;
    const due = dueAt(now, {
      limits,
      expiresAt: this.#identity.expiresAt,
      bornAt: this.#bornAt,
      lostAt: this.#lostAt,
      isAnswered: this.#isAnswered,
      askedAt: this.#askedAt,
      channel: this.#channel,
      pulse: this.#pulse,
    });
    this.#act(due);
  }

  #act(due: Due): void {
    switch (due) {
      case 'refuse':
        return this.#refuse('The handshake took too long');
      case 'answer':
        return this.#answer();
      case 'expire':
        return this.close({ allowReconnect: true });
      case 'forget':
        return this.#end();
      case 'cut':
        return this.#cut();
      case 'silent':
        return this.close({ error: 'The client was silent', allowReconnect: true });
      case 'ping':
        return this.#say({ kind: 'ping' });
      case 'nothing': {
        const sequenceId = this.#channel.buffer?.takeAcknowledgement();
        if (sequenceId !== undefined) this.#say({ kind: 'ack', sequenceId });
      }
    }
  }

  #begin(handshake: Handshake): void {
    const { admission, connections, limits, log, clock } = this.#context;
    const mayReturn = this.#options.stateful && this.transport === 'webSockets';
    this.#channel.begin(handshake, mayReturn && handshake.version >= statefulVersion);
    admission.handshakeEnded();
    connections.add(this);
    this.#askedAt = clock();
    this.#joined = this.#join();
    this.#invocations = new Invocations(
      {
        connection: this,
        methods: this.#options.methods,
        mostOpen: limits.openInvocations,
        log,
        say: (message) => this.#say(message),
        drained: () => untilDrained(this),
      },
      this.#joined,
    );
  }

  /** Whatever happens once the client knows that it is connected, it hears of; or else it is sent to connect again. */
  async #join(): Promise<void> {
    const { hub, log } = this.#context;
    try {
      // In a function of its own: what a join throws at once comes later, too.
      await (async () => hub.join(this, { placed: this.#placed }))();
    } catch (error) {
      if (this.#isOpen)
        log.error({ err: error, connectionId: this.id }, 'hub could not take a connection in');
      return this.close({ error: 'The server could not take the connection in', allowReconnect: true });
    }
    if (this.#isAnswered && !this.#isPlaced) this.close({ allowReconnect: true });
    else this.#placed();
  }

  readonly #placed = (): void => {
    if (this.#isAnswered) return;
    this.#isPlaced = true;
    this.#answer();
  };

  /** Ends the handshake, once. */
  readonly #answer = (): void => {
    const { handshake } = this.#channel;
    if (this.#isAnswered || handshake === undefined) return;
    this.#isAnswered = true;
    this.#channel.sayRaw(handshakeAnswer(), handshake.protocol.kind);
  };

  #take(message: ClientMessage): void {
    const { buffer } = this.#channel;
    if (buffer?.isNew(message) === false || this.#invocations === undefined) return;
    this.#context.counters.received += 1;
    takeMessage(message, {
      invocations: this.#invocations,
      buffer,
      pinged: () => this.#pulse.pinged(),
      closed: () => this.#end(),
    });
  }

  #say(message: ServerMessage): void {
    if (!this.#isOpen) return;
    this.#channel.say(message);
    this.#pulse.sent();
    if (this.#channel.isFull) this.#cut();
  }

  #cut(): void {
    this.#context.counters.tooSlow += 1;
    this.#context.log.warn({ connectionId: this.id, transport: this.transport }, 'hub client is too slow');
    this.close(tooSlow);
  }

  #reject(error: unknown): void {
    const isTheirs = error instanceof ProtocolError;
    if (!isTheirs) this.#context.log.error({ err: error, connectionId: this.id }, 'hub message failed');
    const text = isTheirs ? error.message : 'The server failed';
    if (this.#joined === undefined) this.#refuse(text);
    else this.close({ error: text, allowReconnect: false });
  }

  #refuse(error: string): void {
    this.#channel.sayRaw(handshakeAnswer(error), 'text');
    this.#end();
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#invocations?.end();
    this.#channel.sink?.end(normalClosure, '');
    letGo(this.#context, this, this.#joined);
    // The rest is still to be polled.
    if (!(this.#channel.sink instanceof LongPollSink)) this.#leaveAll();
  }

  #leaveAll(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { sink } = this.#channel;
    if (sink instanceof LongPollSink) sink.destroy();
    this.#context.heartbeat.remove(this);
    this.#options.gone();
  }
}
