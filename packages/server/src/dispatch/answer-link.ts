import { formatInZone } from '@tocsin/domain';
import { readAnswerToken } from '../channels/answer-code.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { type AnsweredAttempt, findAnsweredAttempt, listSentTogether } from './answer.store.ts';
import { type Answered, type Answering, answerCall, type TakenAlarm } from './answer-call.ts';
import { type AnswerIntent, type Judgement, judgeGiven } from './answer-judgement.ts';
import type { AnswerPage } from './answer-page.ts';

export type ShownLink = { status: 200 | 404 | 410; page: AnswerPage };

const unknownLink: ShownLink = {
  status: 404,
  page: {
    title: 'This link is not valid',
    message: '',
    lines: ['It may have been cut off by the mail program. The code in the message answers the call too.'],
    choices: [],
  },
};

/** What the link leads to. Mail programs open links by themselves, so that showing it changes nothing. */
export async function showAnswerLink(answering: Answering, token: string): Promise<ShownLink> {
  const { answerKeys, names, runtime } = answering;
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
    const takes = (await listSentTogether(transaction, attempt.sentAs)).filter(({ tagId }) => tagId !== null);
    return shown(attempt, { take: judge('take'), confirm: judge('confirm'), alarms: takes.length });
  });
}

/** Carries out what was chosen on the page. */
export async function answerLink(
  answering: Answering,
  { token, intent }: { token: string; intent: AnswerIntent },
): Promise<ShownLink> {
  const subject = readAnswerToken(answering.answerKeys, token);
  const named = subject && answering.names.parse(subject.attemptId);
  if (!subject || named?.tenantId !== subject.tenantId) return unknownLink;
  const answered = await answerCall(answering, {
    ...named,
    way: 'link',
    intent,
    proof: { kind: 'token', given: token },
  });
  return answered ? done(answered, intent) : unknownLink;
}

function shown(
  { message, userName, createdAt, timeZone }: AnsweredAttempt,
  { take, confirm, alarms }: { take: Judgement; confirm: Judgement; alarms: number },
): ShownLink {
  const told = [`For ${userName}, ${formatInZone(timeZone, createdAt)}.`];
  const choices: AnswerPage['choices'][number][] = [];
  const what = alarms === 1 ? 'the alarm' : `all ${alarms} alarms`;
  if (take === 'accepted' && alarms > 0) choices.push({ answer: 'take', label: `I take ${what}` });
  const got = alarms === 0 ? 'I have got the call' : 'I have got the call; call others too';
  if (confirm === 'accepted') choices.push({ answer: 'confirm', label: got });
  if (choices.length > 0)
    return { status: 200, page: { title: 'You were called', message, lines: told, choices } };
  return refused(take, { message, lines: told });
}

function done({ judgement, alarms }: Answered, intent: AnswerIntent): ShownLink {
  if (judgement !== 'accepted') return refused(judgement, { message: '', lines: [] });
  const lines =
    intent === 'take' ? alarms.map(tell) : ['Thank you. The alarm is still open: others are called on.'];
  return { status: 200, page: { title: 'Answered', message: '', lines, choices: [] } };
}

function tell({ id, outcome, by }: TakenAlarm): string {
  if (outcome === 'taken') return `Alarm ${id} is yours. Nobody else is called for it.`;
  if (outcome === 'over') return `Alarm ${id} is over.`;
  return `Alarm ${id} was taken by ${by || 'somebody else'} before you.`;
}

const refusals: Partial<Record<Judgement, string>> = {
  used: 'This call was answered before.',
  stale: 'This link is too old to answer with.',
  locked: 'This call can no longer be answered with a code.',
  'not-allowed': 'You may no longer answer calls here.',
};

function refused(judgement: Judgement, shownOf: Pick<AnswerPage, 'message' | 'lines'>): ShownLink {
  const title = refusals[judgement] ?? 'This link is not valid';
  return { status: 410, page: { ...shownOf, title, choices: [] } };
}
