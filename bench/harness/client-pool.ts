import { LeanClient, type Reply } from './lean-client.ts';

/** Some clients of one server; a request takes one that is free, or waits for it in the order it came. */
export class ClientPool {
  readonly #clients: readonly LeanClient[];
  readonly #free: LeanClient[];
  readonly #waiting: ((client: LeanClient) => void)[] = [];

  private constructor(clients: readonly LeanClient[]) {
    this.#clients = clients;
    this.#free = [...clients];
  }

  static async open(port: number, size: number): Promise<ClientPool> {
    return new ClientPool(await Promise.all(Array.from({ length: size }, () => LeanClient.open(port))));
  }

  async send(request: Buffer): Promise<Reply> {
    // Round-robin, because the server closes connections that are idle for a minute.
    const client = this.#free.shift() ?? (await new Promise<LeanClient>((free) => this.#waiting.push(free)));
    const reply = await client.send(request);
    const next = this.#waiting.shift();
    if (next) next(client);
    else this.#free.push(client);
    return reply;
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}
