import { type Answer, jsonAnswer } from '../answer.ts';

const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
] as const;

const newestVersion = 1;

export type Negotiation = { readonly version: 0 | 1; readonly stateful: boolean };

/** What the client asks for, or what is wrong with it: told with a 200, as clients look for it there. */
export function readNegotiation(query: URLSearchParams): Negotiation | { readonly error: string } {
  const asked = query.get('negotiateVersion') ?? '0';
  if (!/^\d{1,9}$/.test(asked)) return { error: 'negotiateVersion is not a version that is spoken here.' };
  return {
    version: Number(asked) >= newestVersion ? 1 : 0,
    stateful: query.get('useStatefulReconnect')?.toLowerCase() === 'true',
  };
}

/** In version 0 the one id there is must be the secret one. */
export function negotiationAnswer(
  { version, stateful }: Negotiation,
  ids: { readonly connectionId: string; readonly connectionToken: string },
): Answer {
  return jsonAnswer(200, {
    negotiateVersion: version,
    ...(version === 0 ? { connectionId: ids.connectionToken } : ids),
    ...(stateful ? { useStatefulReconnect: true } : {}),
    availableTransports,
  });
}
