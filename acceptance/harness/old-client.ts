import { Agent, type IncomingHttpHeaders, request } from 'node:http';

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
 * A plain HTTP client as they were written ten years ago: paths go out as they are typed, nothing is encoded
 * behind the caller's back.
 */
export class OldClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly baseUrl: string;
  token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  get(path: string, sent: Sent = {}): Promise<Answer> {
    return this.send('GET', path, sent);
  }

  post(path: string, body?: unknown, sent: Sent = {}): Promise<Answer> {
    return this.send('POST', path, { ...(body !== undefined && { body }), ...sent });
  }

  send(
    method: string,
    path: string,
    { body, raw, headers = {}, token = this.token ?? null }: Sent = {},
  ): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const { hostname, port, pathname } = new URL(this.baseUrl);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          hostname,
          port,
          method,
          path: `${pathname === '/' ? '' : pathname}${path}`,
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

  /** Logs in as the interface's own form has it, and keeps the access token. */
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
