import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { mixedCase, type PlainRequest, withHabits } from './client-habits.ts';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json<Body = unknown>(): Body;
};

export type Sent = {
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  token?: string | null;
};

/**
 * A plain HTTP client. It sends paths and bodies unchanged, so that tests can send invalid ones.
 */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly baseUrl: string;
  readonly #habits: boolean;
  token: string | undefined;

  /** With `habits`, requests are written as clients of the .NET era write them. */
  constructor(baseUrl: string, token?: string, { habits = false }: { habits?: boolean } = {}) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.#habits = habits;
  }

  get(path: string, sent: Sent = {}): Promise<Answer> {
    return this.send('GET', path, sent);
  }

  post(path: string, body?: unknown, sent: Sent = {}): Promise<Answer> {
    return this.send('POST', path, { ...(body !== undefined && { body }), ...sent });
  }

  async send(
    method: string,
    path: string,
    { token = this.token ?? null, headers = {}, ...sent }: Sent = {},
  ): Promise<Answer> {
    const plainRequest = { method, path, headers, ...sent };
    if (!this.#habits) return this.#exchange(plainRequest, token);
    const answer = await this.#exchange(withHabits(plainRequest), token);
    // The `instance` of a problem repeats the path of the request.
    const [plain = ''] = path.split('?', 1);
    const { pathname } = new URL(this.baseUrl);
    const text = answer.text.replaceAll(
      `${mixedCase(pathname)}${mixedCase(plain).slice(1)}`,
      `${pathname}${plain}`,
    );
    return { ...answer, text, json: <Body>() => JSON.parse(text) as Body };
  }

  #exchange({ method, path, body, raw, headers }: PlainRequest, token: string | null): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const { hostname, port, pathname } = new URL(this.baseUrl);
    const prefix = pathname === '/' ? '' : this.#habits ? mixedCase(pathname).slice(0, -1) : pathname;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          hostname,
          port,
          method,
          path: `${prefix}${path}`,
          headers: {
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...(payload !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(payload),
            }),
            ...headers,
          },
          timeout: 30_000,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const { statusCode: status = 0, headers: answered } = incoming;
            resolve({ status, headers: answered, text, json: <Body>() => JSON.parse(text) as Body });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer after 30 s')));
      outgoing.end(payload);
    });
  }

  /** Logs in with the form of the interface and keeps the access token. */
  async logIn(username: string, password: string): Promise<Answer> {
    const form = new URLSearchParams({ grant_type: 'password', username, password }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await this.send('POST', '/api/v1/auth/login', { raw: form, headers, token: null });
    if (answer.status === 200) this.token = answer.json<{ access_token: string }>().access_token;
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}
