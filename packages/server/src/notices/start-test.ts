import type { Person } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { listTesting, lockUser, saveTested } from './reachability.store.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Sends a test to each of the person's media. Returns the notice, or undefined if the person has no medium or is being
 * tested already: one test at a time is enough, and a second one would ring the same telephones.
 */
export async function startTest(
  transaction: TenantTransaction,
  { userId, media }: Pick<Person, 'userId' | 'media'>,
  requestedBy: string,
): Promise<number | undefined> {
  if (media.length === 0) return undefined;
  await lockUser(transaction, userId);
  if ((await listTesting(transaction)).has(userId)) return undefined;
  // An address that is listed twice is tested once.
  const once = [...new Map(media.map((medium) => [`${medium.kind} ${medium.address}`, medium])).values()];
  const sent = await sendNotice(transaction, { content: { kind: 'test' }, userId, media: once, requestedBy });
  if (!sent) return undefined;
  await saveTested(transaction, userId, sent.media);
  return sent.id;
}
