import { type HttpResponse, jsonResponse } from '../http/http-response.ts';

const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
] as const;

const newestVersion = 1;

export type NegotiateRequest = { readonly version: 0 | 1; readonly useStatefulReconnect: boolean };

/** Parses a negotiate request. Clients expect an error in a response with status 200. */
export function parseNegotiateRequest(query: URLSearchParams): NegotiateRequest | { readonly error: string } {
  const requested = query.get('negotiateVersion') ?? '0';
  if (!/^\d{1,9}$/.test(requested)) return { error: 'negotiateVersion is not a supported version.' };
  return {
    version: Number(requested) >= newestVersion ? 1 : 0,
    useStatefulReconnect: query.get('useStatefulReconnect')?.toLowerCase() === 'true',
  };
}

/** Version 0 has a single id, which must be the secret connection token. */
export function negotiateResponse(
  { version, useStatefulReconnect }: NegotiateRequest,
  ids: { readonly connectionId: string; readonly connectionToken: string },
): HttpResponse {
  return jsonResponse(200, {
    negotiateVersion: version,
    ...(version === 0 ? { connectionId: ids.connectionToken } : ids),
    ...(useStatefulReconnect ? { useStatefulReconnect: true } : {}),
    availableTransports,
  });
}
