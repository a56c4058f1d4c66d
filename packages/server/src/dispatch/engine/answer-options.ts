import {
  type AnswerKeys,
  type AnswerSubject,
  answerCode,
  answerToken,
} from '../../channels/port/answer-code.ts';
import type { AnswerOptions } from '../../channels/port/message.ts';

/** An attempt can be answered for this time after it was created. */
const answerHours = 12;

export function answerSubject(tenantId: number, attemptName: string, createdAt: Date): AnswerSubject {
  const expiresAt = new Date(createdAt.getTime() + answerHours * 3_600_000);
  return { tenantId, attemptId: attemptName, expiresAt };
}

/** The code and the link with which the person called can answer. */
export function answerOptions(keys: AnswerKeys, subject: AnswerSubject, publicUrl: string): AnswerOptions {
  const link = publicUrl === '' ? '' : `${publicUrl}/answer/${answerToken(keys, subject)}`;
  return { code: answerCode(keys, subject), link };
}
