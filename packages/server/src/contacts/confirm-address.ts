import {
  type CodeJudgement,
  type ContactMedium,
  confirmMedium,
  judgeAddressCode,
  type Medium,
  maxWrongTries,
} from '@tocsin/domain';
import type { AnswerKeys } from '../channels/port/answer-code.ts';
import { type UserRow, updateUserMedia } from '../people/user.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { countWrongTry, lockLastCode, markCodeUsed } from './address-code.store.ts';
import { isAddressCode } from './address-code.ts';

export type WrongCode = { judgement: Exclude<CodeJudgement, 'right'>; triesLeft: number };

/** Confirms an address with the code that was sent to it. A wrong code is counted. */
export async function enterCode(
  transaction: TenantTransaction,
  keys: AnswerKeys,
  { user, medium, given }: { user: UserRow; medium: ContactMedium; given: string },
): Promise<{ confirmed: ContactMedium } | WrongCode> {
  const { tenantId, now } = transaction;
  const code = await lockLastCode(transaction, user.id, medium);
  const subject = { tenantId, codeId: code?.id ?? 0, userId: user.id, medium };
  const judgement = judgeAddressCode(code, () => isAddressCode(keys, given, subject), now);
  if (code && judgement === 'right') {
    await markCodeUsed(transaction, code.id);
    return { confirmed: await confirmAddress(transaction, { user, medium, by: 'code' }) };
  }
  if (code && judgement === 'wrong') await countWrongTry(transaction, code.id);
  const triesLeft = Math.max(0, maxWrongTries - (code?.wrongTries ?? 0) - 1);
  return { judgement: judgement === 'right' ? 'none' : judgement, triesLeft };
}

/** Stores the confirmation, and returns the medium with it. */
export async function confirmAddress(
  transaction: TenantTransaction,
  { user, medium, by }: { user: UserRow; medium: ContactMedium; by: 'code' | 'administrator' },
): Promise<ContactMedium> {
  const confirmed = { by, at: transaction.now };
  await updateUserMedia(transaction, user.id, confirmMedium(user.media, medium, confirmed));
  return { ...medium, confirmed };
}

/** The medium of the user with this kind and address. */
export function findMedium({ media }: UserRow, { kind, address }: Medium): ContactMedium | undefined {
  return media.find((one) => one.kind === kind && one.address === address);
}
