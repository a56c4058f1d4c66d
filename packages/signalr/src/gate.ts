import type { IncomingMessage } from 'node:http';
import { type Answer, textAnswer } from './answer.ts';
import type { FamilyContext } from './family.ts';
import type { Identity, Refusal } from './hub.ts';

export type Entry<User> = { readonly identity: Identity<User> } | { readonly refused: Answer };

/** Whom the request speaks for, or what to answer instead. The origin is looked at before. */
export async function identify<User>(
  context: FamilyContext<User>,
  request: IncomingMessage,
): Promise<Entry<User>> {
  try {
    const identity = await context.authenticate(request);
    return 'status' in identity ? { refused: refusalAnswer(identity) } : { identity };
  } catch (error) {
    context.log.error({ err: error }, 'hub request could not be authenticated');
    return { refused: textAnswer(503, 'Try again later') };
  }
}

export function refusalAnswer({ status, reason }: Refusal): Answer {
  const answer = textAnswer(status, reason);
  if (status === 401) return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } };
  if (status === 429 || status === 503)
    return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
  return answer;
}
