import { dialogueWordsOf } from '@tocsin/domain';
import type { CallbackReading, CallbackRequest, CallbackResponse, Incoming } from '../port/channel.ts';
import type { ChannelOutcome, ReportReply } from '../port/outcome.ts';
import { callOutcome, messageOutcome } from './provider-outcome.ts';
import { isSignedByProvider } from './provider-signature.ts';
import { decodeSpokenCall, type SpokenCall } from './spoken-call.ts';
import { type CallTurn, callTwiml, emptyTwiml, lastWords, twimlType } from './twiml.ts';

const notUnderstood: CallbackReading = { kind: 'refused', reason: 'not-understood' };
const noTwiml: CallbackResponse = { contentType: twimlType, body: emptyTwiml };

/** A person who presses nothing is asked so often. */
const maxSilent = 3;
/** A call cannot be repeated for ever. */
const maxTurns = 12;

/** Reads a call-back: the state of a call or message, a pressed key, or an SMS of a person. */
export function receiveCallback(request: CallbackRequest, authToken: string): CallbackReading {
  const form = new URLSearchParams(request.body);
  const signature = request.headers['x-twilio-signature'];
  if (
    typeof signature !== 'string' ||
    !URL.canParse(request.url) ||
    !isSignedByProvider(authToken, { url: request.url, form }, signature)
  )
    return { kind: 'refused', reason: 'not-signed' };
  const url = new URL(request.url);
  const callSid = form.get('CallSid') ?? '';
  const messageSid = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  if (!isReference(callSid || messageSid)) return notUnderstood;
  if (callSid === '') return readMessage(form, { url, messageSid });
  return url.searchParams.has('say') ? readKey(form, { url, callSid }) : readStatus(form, { url, callSid });
}

function isReference(sid: string): boolean {
  return /^[\w-]{1,64}$/.test(sid);
}

const attemptOf = (url: URL): string => url.searchParams.get('attempt') ?? '';

function report(callbackId: string, incoming: Incoming, response = noTwiml): CallbackReading {
  return { kind: 'report', callbackId, incoming, response };
}

function readStatus(form: URLSearchParams, { url, callSid }: { url: URL; callSid: string }): CallbackReading {
  const status = form.get('CallStatus') ?? '';
  const sipCode = form.get('SipResponseCode') ?? undefined;
  const outcome = callOutcome({ status, reference: callSid, sipCode });
  if (!outcome) return notUnderstood;
  const heard = url.searchParams.get('heard')?.split(',');
  const known = outcome.kind === 'ended' && heard ? { ...outcome, heard } : outcome;
  return report(`${callSid}-${status}`, { kind: 'outcome', attemptId: attemptOf(url), outcome: known });
}

function readMessage(
  form: URLSearchParams,
  { url, messageSid }: { url: URL; messageSid: string },
): CallbackReading {
  const status = form.get('MessageStatus') ?? form.get('SmsStatus') ?? '';
  const [from, text] = [form.get('From'), form.get('Body')];
  if (status === 'received' || status === '') {
    if (from === null || text === null) return notUnderstood;
    return report(`${messageSid}-reply`, { kind: 'reply', attemptId: attemptOf(url), from, text });
  }
  const errorCode = Number(form.get('ErrorCode') ?? 0) || 0;
  const outcome = messageOutcome({ status, reference: messageSid, errorCode });
  if (!outcome) return notUnderstood;
  return report(`${messageSid}-${status}`, { kind: 'outcome', attemptId: attemptOf(url), outcome });
}

const choices: Readonly<Record<string, 'first' | 'second'>> = { '1': 'first', '2': 'second' };

function readKey(form: URLSearchParams, { url, callSid }: { url: URL; callSid: string }): CallbackReading {
  const spoken = decodeSpokenCall(url.searchParams.get('say') ?? '');
  const attemptId = attemptOf(url);
  if (!spoken || attemptId === '') return notUnderstood;
  const [turn, silent] = ['turn', 'silent'].map((name) => Number(url.searchParams.get(name)) || 0);
  const place = { spoken, turn: turn ?? 0, silent: silent ?? 0 };
  const callbackId = `${callSid}-key-${place.turn}`;
  const key = form.get('Digits') ?? '';
  const pressed = pressedBy(key, spoken, callSid);
  if (pressed)
    return {
      kind: 'report',
      callbackId,
      incoming: { kind: 'outcome', attemptId, outcome: pressed },
      response: goodbye(spoken),
      responseTo: (reply) => confirmation(reply, { spoken, choice: pressed.choice }),
    };
  const answered: Incoming = {
    kind: 'outcome',
    attemptId,
    outcome: { kind: 'answered', reference: callSid },
  };
  return report(callbackId, answered, nextTurn(url, { ...place, key }));
}

type Pressed = Extract<ChannelOutcome, { kind: 'pressed' }>;

function pressedBy(key: string, { answer, heard }: SpokenCall, reference: string): Pressed | undefined {
  const which = choices[key];
  if (which === undefined || answer === 'none' || (which === 'second' && answer === 'confirm'))
    return undefined;
  const choice = which === 'second' ? 'refuse' : answer;
  return { kind: 'pressed', reference, choice, heard, proof: { kind: 'leg' } };
}

/** The star and every other key repeat the call; silence does so a few times. */
function nextTurn(url: URL, { spoken, turn, silent, key }: CallTurn & { key: string }): CallbackResponse {
  const asked = key === '' ? silent + 1 : 0;
  if (asked >= maxSilent || turn >= maxTurns) return goodbye(spoken);
  const callbackUrl = new URL(url);
  for (const name of ['turn', 'silent', 'say']) callbackUrl.searchParams.delete(name);
  const next = { spoken, turn: turn + 1, silent: asked };
  return { contentType: twimlType, body: callTwiml(next, callbackUrl.href) };
}

function goodbye({ language }: SpokenCall): CallbackResponse {
  return { contentType: twimlType, body: lastWords([dialogueWordsOf(language).goodbye], language) };
}

/** Says only what was carried out. */
function confirmation(
  { judgement, takenBy }: ReportReply,
  { spoken, choice }: { spoken: SpokenCall; choice: Pressed['choice'] },
): CallbackResponse {
  const words = dialogueWordsOf(spoken.language);
  const done = { take: words.taken(spoken.heard.length), refuse: words.refused, confirm: words.confirmed };
  const sentences: Record<ReportReply['judgement'], string> = {
    accepted: done[choice],
    late: takenBy === '' ? words.tooLate : words.takenBefore(takenBy),
    'not-allowed': words.notAllowed,
    wrong: words.notRecorded,
    locked: words.notRecorded,
    '': words.notRecorded,
  };
  return { contentType: twimlType, body: lastWords([sentences[judgement]], spoken.language) };
}
