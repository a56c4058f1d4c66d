import { type HubConnection, HubError, type HubMethod } from '../../hub/hub.ts';
import type { Log } from '../../hub/log.ts';
import {
  type ClientMessage,
  type CompletionResult,
  ProtocolError,
  type ServerMessage,
} from '../../protocols/hub-protocol.ts';
import { Cancellation } from './cancellation.ts';
import { ClientStream } from './client-stream.ts';
import { isStream, sendStream } from './server-stream.ts';

type Invocation = Extract<ClientMessage, { kind: 'invocation' }>;

export type HubMethods<User> = ReadonlyMap<string, HubMethod<User>>;

/** Keyed by lower-case name. A Map, so that a client cannot name a member of Object.prototype. */
export function createMethodMap<User>(methods: Readonly<Record<string, HubMethod<User>>>): HubMethods<User> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}

export type InvocationsOptions<User> = {
  readonly connection: HubConnection<User>;
  readonly methods: HubMethods<User>;
  readonly maxParallelInvocations: number;
  readonly log: Log;
  write(message: ServerMessage): void;
  /** Resolves when the client has received most of the pending bytes. */
  waitForSendCapacity(): Promise<void>;
};

/**
 * Runs the invocations of a client. Invocations without streams run one after the other, in order; those with streams
 * run in parallel. None runs before `connected` resolves.
 */
export class Invocations<User> {
  readonly #options: InvocationsOptions<User>;
  readonly #clientStreams = new Map<string, ClientStream>();
  readonly #serverStreams = new Map<string, Cancellation>();
  #lastInvocation: Promise<void>;
  #running = 0;

  constructor(options: InvocationsOptions<User>, connected: Promise<void>) {
    this.#options = options;
    this.#lastInvocation = connected;
  }

  invoke(invocation: Invocation): void {
    if (this.#running >= this.#options.maxParallelInvocations) {
      return this.#complete(invocation.id, { kind: 'error', error: 'Too many parallel invocations' });
    }
    this.#running += 1;
    const clientStreams = invocation.streamIds.map((id) => this.#openClientStream(id));
    const run = async () => {
      if (this.#options.connection.isOpen) await this.#run(invocation, clientStreams);
      for (const id of invocation.streamIds) this.#clientStreams.delete(id);
      this.#running -= 1;
    };
    if (invocation.isStream || clientStreams.length > 0) void this.#lastInvocation.then(run);
    else this.#lastInvocation = this.#lastInvocation.then(run);
  }

  addStreamItem(id: string, item: unknown): void {
    const stream = this.#clientStreams.get(id);
    if (stream?.add(item) === false) throw new ProtocolError('A client stream is faster than its reader');
  }

  completeClientStream(id: string, error: string | undefined): void {
    this.#clientStreams.get(id)?.complete(error);
    this.#clientStreams.delete(id);
  }

  cancel(id: string): void {
    this.#serverStreams.get(id)?.cancel();
  }

  end(): void {
    for (const stream of this.#clientStreams.values()) stream.complete('The connection has ended');
    for (const cancellation of this.#serverStreams.values()) cancellation.cancel();
    this.#clientStreams.clear();
  }

  #openClientStream(id: string): ClientStream {
    if (this.#clientStreams.has(id)) throw new ProtocolError('A stream id is already in use');
    const stream = new ClientStream();
    this.#clientStreams.set(id, stream);
    return stream;
  }

  async #run(invocation: Invocation, clientStreams: readonly ClientStream[]): Promise<void> {
    const { id, target, args } = invocation;
    const { methods, connection } = this.#options;
    const method = methods.get(target.toLowerCase());
    if (method === undefined) {
      return this.#complete(id, { kind: 'error', error: `Unknown hub method '${target.slice(0, 100)}'` });
    }
    try {
      const result = await method(connection, ...args, ...clientStreams);
      if (invocation.isStream !== isStream(result)) throw wrongInvocationType(invocation);
      if (isStream(result)) await this.#stream(id ?? '', result);
      else this.#complete(id, result === undefined ? { kind: 'void' } : { kind: 'value', value: result });
    } catch (error) {
      this.#fail(invocation, error);
    }
  }

  async #stream(id: string, items: AsyncIterable<unknown>): Promise<void> {
    const cancellation = new Cancellation();
    const { write, waitForSendCapacity } = this.#options;
    this.#serverStreams.set(id, cancellation);
    try {
      await sendStream({
        items,
        cancellation,
        send: (item) => write({ kind: 'streamItem', id, item }),
        waitForSendCapacity,
      });
    } finally {
      this.#serverStreams.delete(id);
    }
    this.#complete(id, { kind: 'void' });
  }

  #fail({ id, target }: Invocation, error: unknown): void {
    if (!(error instanceof HubError)) this.#options.log.error({ err: error, target }, 'hub method failed');
    const text = error instanceof HubError ? error.message : `An unexpected error occurred in '${target}'`;
    this.#complete(id, { kind: 'error', error: text });
  }

  #complete(id: string | undefined, result: CompletionResult): void {
    if (id !== undefined) this.#options.write({ kind: 'completion', id, result });
  }
}

function wrongInvocationType({ target, isStream: expectsStream }: Invocation): HubError {
  return new HubError(
    expectsStream ? `'${target}' does not return a stream` : `'${target}' returns a stream`,
  );
}
