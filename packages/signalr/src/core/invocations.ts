import {
  type ClientMessage,
  type Outcome,
  ProtocolError,
  type ServerMessage,
} from '../codec/hub-protocol.ts';
import type { Log } from '../family.ts';
import { type HubConnection, HubError, type HubMethod } from '../hub.ts';
import { Cancellation } from './cancellation.ts';
import { isStream, sendStream } from './server-stream.ts';
import { Upload } from './upload.ts';

type Invocation = Extract<ClientMessage, { kind: 'invocation' }>;

export type HubMethods<User> = ReadonlyMap<string, HubMethod<User>>;

/** By lower-case name; a map, so that no name of a client reaches a prototype. */
export function methodTable<User>(methods: Readonly<Record<string, HubMethod<User>>>): HubMethods<User> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}

export type InvocationsOptions<User> = {
  readonly connection: HubConnection<User>;
  readonly methods: HubMethods<User>;
  readonly mostOpen: number;
  readonly log: Log;
  say(message: ServerMessage): void;
  /** Resolves when the client has read most of what waits for it. */
  drained(): Promise<void>;
};

/**
 * What a client calls. Plain calls run one after the other, in their order; those with streams beside them. Nothing
 * runs before `joined`.
 */
export class Invocations<User> {
  readonly #options: InvocationsOptions<User>;
  readonly #uploads = new Map<string, Upload>();
  readonly #streams = new Map<string, Cancellation>();
  #turn: Promise<void>;
  #open = 0;

  constructor(options: InvocationsOptions<User>, joined: Promise<void>) {
    this.#options = options;
    this.#turn = joined;
  }

  invoke(invocation: Invocation): void {
    if (this.#open >= this.#options.mostOpen) {
      return this.#complete(invocation.id, { kind: 'error', error: 'Too many calls at a time' });
    }
    this.#open += 1;
    const uploads = invocation.streamIds.map((id) => this.#openUpload(id));
    const run = async () => {
      if (this.#options.connection.isOpen) await this.#run(invocation, uploads);
      for (const id of invocation.streamIds) this.#uploads.delete(id);
      this.#open -= 1;
    };
    if (invocation.streaming || uploads.length > 0) void this.#turn.then(run);
    else this.#turn = this.#turn.then(run);
  }

  addItem(id: string, item: unknown): void {
    const upload = this.#uploads.get(id);
    if (upload?.put(item) === false) throw new ProtocolError('A stream is faster than it is read');
  }

  endUpload(id: string, error: string | undefined): void {
    this.#uploads.get(id)?.end(error);
    this.#uploads.delete(id);
  }

  cancel(id: string): void {
    this.#streams.get(id)?.cancel();
  }

  end(): void {
    for (const upload of this.#uploads.values()) upload.end('The connection has ended');
    for (const stream of this.#streams.values()) stream.cancel();
    this.#uploads.clear();
  }

  #openUpload(id: string): Upload {
    if (this.#uploads.has(id)) throw new ProtocolError('A stream has the id of another');
    const upload = new Upload();
    this.#uploads.set(id, upload);
    return upload;
  }

  async #run(invocation: Invocation, uploads: readonly Upload[]): Promise<void> {
    const { id, target, args, streaming } = invocation;
    const { methods, connection } = this.#options;
    const method = methods.get(target.toLowerCase());
    if (method === undefined) {
      return this.#complete(id, { kind: 'error', error: `Unknown hub method '${target.slice(0, 100)}'` });
    }
    try {
      const result = await method(connection, ...args, ...uploads);
      if (streaming !== isStream(result)) throw new HubError(wrongKind(target, streaming));
      if (isStream(result)) await this.#stream(id ?? '', result);
      else this.#complete(id, result === undefined ? { kind: 'void' } : { kind: 'value', value: result });
    } catch (error) {
      this.#fail(invocation, error);
    }
  }

  async #stream(id: string, items: AsyncIterable<unknown>): Promise<void> {
    const cancellation = new Cancellation();
    const { say, drained } = this.#options;
    this.#streams.set(id, cancellation);
    try {
      await sendStream({
        items,
        cancellation,
        send: (item) => say({ kind: 'streamItem', id, item }),
        drained,
      });
    } finally {
      this.#streams.delete(id);
    }
    this.#complete(id, { kind: 'void' });
  }

  #fail({ id, target }: Invocation, error: unknown): void {
    if (!(error instanceof HubError)) this.#options.log.error({ err: error, target }, 'hub method failed');
    const text = error instanceof HubError ? error.message : `An unexpected error occurred in '${target}'`;
    this.#complete(id, { kind: 'error', error: text });
  }

  #complete(id: string | undefined, outcome: Outcome): void {
    if (id !== undefined) this.#options.say({ kind: 'completion', id, outcome });
  }
}

function wrongKind(target: string, streaming: boolean): string {
  return streaming ? `'${target}' does not answer with a stream` : `'${target}' answers with a stream`;
}
