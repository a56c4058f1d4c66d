import { formatInZone } from '@tocsin/domain';
import { readAnswerToken } from '../../channels/port/answer-code.ts';
import { callLanguageOf } from '../../channels/port/call-words.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import {
  type AnswerableAlarm,
  type AnsweredAttempt,
  findAnsweredAttempt,
  listAnswerableAlarms,
} from './answer.store.ts';
import { type Answered, type AnswerServices, answerCall, type TakenAlarm } from './answer-call.ts';
import { type AnswerIntent, type Judgement, judgeGiven } from './answer-judgement.ts';
import type { AnswerPage } from './answer-page.ts';
import { type AnswerPageWords, answerPageWordsOf } from './answer-page-words.ts';

export type ShownLink = { status: 200 | 404 | 410; page: AnswerPage };

const unknownLink: ShownLink = {
  status: 404,
  page: {
    language: 'en',
    title: 'This link is not valid',
    message: '',
    lines: ['It may have been cut off by the mail program. The code in the message answers the call too.'],
    choices: [],
  },
};

/** Shows the page of an answer link. It changes nothing, because mail programs open links by themselves. */
export async function showAnswerLink(services: AnswerServices, token: string): Promise<ShownLink> {
  const { answerKeys, names, runtime } = services;
  const subject = readAnswerToken(answerKeys, token);
  const named = subject && names.parse(subject.attemptId);
  if (!subject || named?.tenantId !== subject.tenantId) return unknownLink;
  return readTenant(runtime.database, subject.tenantId, async (transaction) => {
    const attempt = await findAnsweredAttempt(transaction, named.attemptId);
    if (!attempt) return unknownLink;
    const { address, mayAct, accepted, codeTries: failures } = attempt;
    const judged = { subject, failures, accepted, mayAct, address };
    const judge = (intent: AnswerIntent) =>
      judgeGiven(
        answerKeys,
        { proof: { kind: 'token', given: token }, intent },
        { attempt: judged, now: transaction.now },
      );
    const alarms = await listAnswerableAlarms(transaction, attempt.sentAs);
    return shown(attempt, { take: judge('take'), confirm: judge('confirm'), alarms });
  });
}

/** Carries out the answer chosen on the page. */
export async function answerLink(
  services: AnswerServices,
  { token, intent }: { token: string; intent: AnswerIntent },
): Promise<ShownLink> {
  const subject = readAnswerToken(services.answerKeys, token);
  const named = subject && services.names.parse(subject.attemptId);
  if (!subject || named?.tenantId !== subject.tenantId) return unknownLink;
  const answered = await answerCall(services, {
    ...named,
    method: 'link',
    intent,
    proof: { kind: 'token', given: token },
  });
  return answered ? done(answered) : unknownLink;
}

function shown(
  { message, userName, createdAt, timeZone, language: tag }: AnsweredAttempt,
  { take, confirm, alarms }: { take: Judgement; confirm: Judgement; alarms: readonly AnswerableAlarm[] },
): ShownLink {
  const words = answerPageWordsOf(tag);
  const lines = [
    ...alarms.slice(0, maxListedAlarms).flatMap((alarm) => describe(words, alarm, alarms.length > 1)),
    words.calledWhen(userName, clock(timeZone, createdAt)),
  ];
  const open = alarms.filter(({ isTaken, isOver }) => !isTaken && !isOver).length;
  const choices: AnswerPage['choices'][number][] = [];
  if (take === 'accepted' && open > 0) choices.push({ answer: 'take', label: words.take(open) });
  const got = open === 0 ? words.confirm : words.confirmOnly;
  if (confirm === 'accepted') choices.push({ answer: 'confirm', label: got });
  const language = callLanguageOf(tag);
  if (choices.length > 0) {
    const page = { language, title: words.youWereCalled, message, lines, choices };
    return { status: 200, page };
  }
  return refused(alarms.length === 0 ? confirm : take, { language, message, lines });
}

const maxListedAlarms = 10;

/** Describes an alarm: its message, place and time, and whether it is acknowledged or over. */
function describe(words: AnswerPageWords, alarm: AnswerableAlarm, isOneOfMany: boolean): string[] {
  const { id, name, message, place, raisedAt, timeZone, takenBy, isTaken, isOver } = alarm;
  const time = clock(timeZone, raisedAt);
  const status = isTaken ? [words.takenBefore(id, takenBy)] : isOver ? [words.over(id)] : [];
  return [...(isOneOfMany ? [message] : []), words.alarm({ name, place, time }), ...status];
}

/** Local date and time, to the minute. */
function clock(timeZone: string, instant: Date): string {
  return `${formatInZone(timeZone, instant).slice(0, 16).replace('T', ' ')} (${timeZone})`;
}

function done({ judgement, alarms, intent, hasAlarm, language: tag }: Answered): ShownLink {
  const language = callLanguageOf(tag);
  if (judgement !== 'accepted') return refused(judgement, { language, message: '', lines: [] });
  const words = answerPageWordsOf(tag);
  const confirmed = hasAlarm ? words.othersAreCalled : words.confirmed;
  const lines = intent === 'take' ? alarms.map((alarm) => describeResult(words, alarm)) : [confirmed];
  return { status: 200, page: { language, title: words.answered, message: '', lines, choices: [] } };
}

function describeResult(words: AnswerPageWords, { id, outcome, by }: TakenAlarm): string {
  if (outcome === 'taken') return words.taken(id);
  return outcome === 'over' ? words.over(id) : words.takenBefore(id, by);
}

function refused(
  judgement: Judgement,
  shownOf: Pick<AnswerPage, 'language' | 'message' | 'lines'>,
): ShownLink {
  const words = answerPageWordsOf(shownOf.language);
  const titles: Partial<Record<Judgement, string>> = {
    used: words.used,
    stale: words.stale,
    locked: words.locked,
    'not-allowed': words.notAllowed,
  };
  return { status: 410, page: { ...shownOf, title: titles[judgement] ?? words.notValid, choices: [] } };
}
