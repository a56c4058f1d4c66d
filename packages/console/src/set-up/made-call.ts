import { type Api, ProblemError } from '@tocsin/client';
import type { ApiCall } from '../frame/curl.ts';

/** A request that a step has made, with its answer. */
export type MadeCall = ApiCall & { readonly status: number; readonly answer: string; readonly ms: number };

/** What a step sends. `shown` replaces a body with secrets. */
export type Send = <Data>(
  call: ApiCall,
  options?: { shown?: unknown; ifMatch?: string | undefined },
) => Promise<Data>;

const told = (data: unknown): string => (typeof data === 'number' ? String(data) : '');

/** Sends requests and tells `onMade` of each, so that the page can show what it did. */
export function recordingSend(api: Api, onMade: (call: MadeCall) => void): Send {
  return async <Data>(
    call: ApiCall,
    { shown, ifMatch }: { shown?: unknown; ifMatch?: string | undefined } = {},
  ) => {
    const begin = performance.now();
    const made = (status: number, answer: string) => {
      const body = shown ?? call.body;
      onMade({ ...call, ...(body !== undefined && { body }), status, answer, ms: performance.now() - begin });
    };
    try {
      const { data } = await sendTo(api, call, ifMatch);
      made(200, told(data));
      return data as Data;
    } catch (error) {
      if (error instanceof ProblemError) made(error.status, error.detail ?? error.title);
      throw error;
    }
  };
}

function sendTo(api: Api, { method, path, query, body }: ApiCall, ifMatch: string | undefined) {
  if (method === 'GET') return api.get<unknown>(path, query);
  return method === 'POST' ? api.post<unknown>(path, body) : api.put<unknown>(path, body, { ifMatch });
}
