/** A code that was sent to an address, to prove that it belongs to the person. */
export type AddressCode = { sentAt: Date; wrongTries: number; usedAt: Date | null };

export type CodeJudgement = 'right' | 'wrong' | 'locked' | 'expired' | 'none';

export const addressCodeSeconds = 15 * 60;
export const maxWrongTries = 5;

export function expiryOfCode({ sentAt }: Pick<AddressCode, 'sentAt'>): Date {
  return new Date(sentAt.getTime() + addressCodeSeconds * 1_000);
}

/**
 * Judges a try against the code that was sent last. The digits are compared only while the code is valid, so that the
 * number of comparisons is the number of tries.
 */
export function judgeAddressCode(
  code: AddressCode | undefined,
  isRight: () => boolean,
  now: Date,
): CodeJudgement {
  if (!code || code.usedAt !== null) return 'none';
  if (code.wrongTries >= maxWrongTries) return 'locked';
  if (now >= expiryOfCode(code)) return 'expired';
  return isRight() ? 'right' : 'wrong';
}

/** Codes that were sent lately, the limit for them, and the time in which it holds. */
type CodeLimit = { sentAt: readonly Date[]; max: number; seconds: number };

const perAddress = { max: 3, seconds: 3_600 } as const;
const perPerson = { max: 10, seconds: 86_400 } as const;

/** Codes older than this limit nothing. */
export const codeLimitSeconds = Math.max(perAddress.seconds, perPerson.seconds);

/** Seconds until a further code may be sent; 0 if at once. */
export function secondsUntilNextCode(
  { toAddress, toPerson }: { toAddress: readonly Date[]; toPerson: readonly Date[] },
  now: Date,
): number {
  return Math.max(
    secondsToWait({ sentAt: toAddress, ...perAddress }, now),
    secondsToWait({ sentAt: toPerson, ...perPerson }, now),
  );
}

/** The oldest of the last `max` codes has to leave the time first. */
function secondsToWait({ sentAt, max, seconds }: CodeLimit, now: Date): number {
  const ends = sentAt.map((at) => at.getTime() + seconds * 1_000).toSorted((one, other) => other - one);
  const freeMs = ends[max - 1] ?? 0;
  return Math.max(0, Math.ceil((freeMs - now.getTime()) / 1_000));
}
