import { type AnswerKeys, type AnswerSubject, answerCode, answerToken } from '../channels/answer-code.ts';
import type { AnswerWay } from '../channels/channel.ts';

/** So long after it was made an attempt can be answered. */
const answerHours = 12;

export function answerSubject(tenantId: number, attemptName: string, createdAt: Date): AnswerSubject {
  const expiresAt = new Date(createdAt.getTime() + answerHours * 3_600_000);
  return { tenantId, attemptId: attemptName, expiresAt };
}

/** How the one who is called can answer this attempt. */
export function answerWay(keys: AnswerKeys, subject: AnswerSubject, publicUrl: string): AnswerWay {
  const link = publicUrl === '' ? '' : `${publicUrl}/answer/${answerToken(keys, subject)}`;
  return { code: answerCode(keys, subject), link };
}
