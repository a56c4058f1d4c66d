import type { Approval } from '@tocsin/contract';
import { exchange, type Fetch, pageFetch } from './exchange.ts';
import { type ProblemError, readProblem } from './problem-error.ts';

/** The value of a parameter; undefined omits it, and a list repeats it. */
export type QueryValue = string | number | boolean | undefined | readonly (string | number)[];
export type Query = Readonly<Record<string, QueryValue>>;

export type ApiAnswer<Data> = { readonly data: Data; readonly etag?: string };

export type ChangeOptions = { readonly ifMatch?: string | undefined };
export type PostOptions = ChangeOptions & { readonly idempotencyKey?: string | undefined };
export type ReadOptions = { readonly signal?: AbortSignal };

/** Paths are below `/api/v1`, as in `get('/alarms')`. Refusals and lost connections are thrown as `ProblemError`. */
export type Api = {
  /** Host and base path of the server; empty for the host of the page. */
  readonly baseUrl: string;
  get<Data>(path: string, query?: Query, options?: ReadOptions): Promise<ApiAnswer<Data>>;
  post<Data>(path: string, body?: unknown, options?: PostOptions): Promise<ApiAnswer<Data>>;
  put<Data>(path: string, body: unknown, options?: ChangeOptions): Promise<ApiAnswer<Data>>;
  remove(path: string, options?: ChangeOptions): Promise<void>;
};

/** Where the API gets its access token. `rejected` is a token that the server has refused. */
export type TokenSource = { accessToken(rejected?: string): Promise<string> };

export type ApiOptions = {
  readonly baseUrl?: string;
  readonly fetch?: Fetch;
  /** Told of each refusal before it is thrown. If it answers true, the request is sent once more. */
  readonly onRefused?: (problem: ProblemError, method: string) => Promise<boolean>;
  /** Told of each change that the server has made. */
  readonly onChanged?: () => void;
  /** Told of each request that waits for a second person. */
  readonly onApproval?: (approval: Approval) => void;
};

type Sent = {
  readonly method: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
};

export function createApi(
  session: TokenSource,
  { baseUrl = '', fetch = pageFetch, onRefused, onChanged, onApproval }: ApiOptions = {},
): Api {
  const attempt = (path: string, { method, body, headers, signal }: Sent, token: string) => {
    const isSent = body !== undefined;
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isSent && { 'content-type': 'application/json' }),
        ...headers,
      },
      // The cookie of the session is for the log-in alone.
      credentials: 'omit',
      cache: 'no-store',
      ...(isSent && { body: JSON.stringify(body) }),
    };
    return exchange(fetch, `${baseUrl}/api/v1${path}`, init, signal);
  };

  const sendOnce = async (path: string, sent: Sent): Promise<Response> => {
    const token = await session.accessToken();
    const response = await attempt(path, sent, token);
    return response.status === 401 ? attempt(path, sent, await session.accessToken(token)) : response;
  };

  const send = async <Data>(path: string, sent: Sent): Promise<ApiAnswer<Data>> => {
    let response = await sendOnce(path, sent);
    if (!response.ok) {
      const problem = await readProblem(response);
      if (!(await onRefused?.(problem, sent.method))) throw problem;
      response = await sendOnce(path, sent);
      if (!response.ok) throw await readProblem(response);
    }
    if (sent.method !== 'GET') onChanged?.();
    const etag = response.headers.get('etag');
    const data = await readData(response);
    if (response.status === 202 && isApproval(data)) onApproval?.(data);
    return { data: data as Data, ...(etag !== null && { etag }) };
  };

  return {
    baseUrl,
    get: (path, query = {}, { signal } = {}) => send(`${path}${queryText(query)}`, { method: 'GET', signal }),
    post: (path, body, { idempotencyKey, ifMatch } = {}) =>
      send(path, {
        method: 'POST',
        body,
        headers: { ...header('idempotency-key', idempotencyKey), ...header('if-match', ifMatch) },
      }),
    put: (path, body, { ifMatch } = {}) =>
      send(path, { method: 'PUT', body, headers: header('if-match', ifMatch) }),
    remove: async (path, { ifMatch } = {}) =>
      void (await send(path, { method: 'DELETE', headers: header('if-match', ifMatch) })),
  };
}

const isApproval = (data: unknown): data is Approval =>
  typeof data === 'object' && data !== null && 'requestedById' in data;

const header = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value };

async function readData(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  const isJson = /^application\/(.+\+)?json/.test(response.headers.get('content-type') ?? '');
  return isJson ? (JSON.parse(text) as unknown) : text;
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
