import type { IncomingMessage } from 'node:http';
import { type HttpResponse, textResponse } from '../http/http-response.ts';
import type { Identity, Refusal } from '../hub/hub.ts';
import type { ServerContext } from './server-context.ts';

export type Authentication<User> = { readonly identity: Identity<User> } | { readonly refused: HttpResponse };

/** Authenticates a request whose origin has been checked. */
export async function authenticateRequest<User>(
  context: ServerContext<User>,
  request: IncomingMessage,
): Promise<Authentication<User>> {
  try {
    const identity = await context.authenticate(request);
    return 'status' in identity ? { refused: refusalResponse(identity) } : { identity };
  } catch (error) {
    context.log.error({ err: error }, 'hub request could not be authenticated');
    return { refused: textResponse(503, 'Try again later') };
  }
}

export function refusalResponse({ status, reason }: Refusal): HttpResponse {
  const answer = textResponse(status, reason);
  if (status === 401) return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
  if (status === 429 || status === 503)
    return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
  return answer;
}
