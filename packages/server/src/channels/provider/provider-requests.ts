import { dialogueWordsOf } from '@tocsin/domain';
import { reasonOf } from '../network/connection-fault.ts';
import type { HttpAnswer, HttpClient } from '../network/http-client.ts';
import type { Channel, Farewell } from '../port/channel.ts';
import { noResponseOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { shortMessage } from '../port/short-message.ts';
import { callOutcome, messageOutcome, placedOutcome, resourceOf } from './provider-outcome.ts';
import { spokenCallOf } from './spoken-call.ts';
import { callTwiml, lastWords } from './twiml.ts';

const reportedEvents = ['ringing', 'answered', 'completed'];

export type ProviderAccount = { baseUrl: string; accountSid: string; authToken: string };

/** Names may occur several times. */
type Form = [name: string, value: string][];

/** Sends a request about the account; `path` is below it. */
export type SendRequest = (
  method: 'GET' | 'POST',
  path: string,
  options: { signal: AbortSignal; form?: Form },
) => Promise<HttpAnswer>;

export function senderOf(
  { baseUrl, accountSid, authToken }: ProviderAccount,
  send: HttpClient['send'],
): SendRequest {
  const account = `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${accountSid}`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return (method, path, { signal, form }) => {
    const headers = { authorization, accept: 'application/json' };
    const url = `${account}${path}`;
    if (!form) return send({ method, url, headers, signal });
    const body = new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return send({ method, url, headers: { ...headers, ...type }, body, signal });
  };
}

type Placing = { message: Message; signal: AbortSignal; isVoice: boolean; from: string };

export async function place(
  send: SendRequest,
  { message, signal, isVoice, from }: Placing,
): Promise<ChannelOutcome> {
  const content = isVoice ? callForm(message) : messageForm(message);
  const form: Form = [['To', message.address], ['From', from], ...content];
  try {
    const path = isVoice ? '/Calls.json' : '/Messages.json';
    return placedOutcome(await send('POST', path, { signal, form }));
  } catch (error) {
    return noResponseOutcome(error);
  }
}

/** Where the provider reports on an attempt; empty if it cannot reach us. */
function attemptUrl({ callbackUrl, attemptId }: Message): string {
  return callbackUrl === '' ? '' : `${callbackUrl}?attempt=${encodeURIComponent(attemptId)}`;
}

function callForm(message: Message): Form {
  const url = attemptUrl(message);
  const spoken = spokenCallOf(message);
  const twiml = callTwiml({ spoken, turn: 1, silent: 0 }, url);
  if (url === '') return [['Twiml', twiml]];
  // Alarms that are not said are called for again when the call has ended.
  const heard = message.alarms.length > 1 ? `&heard=${encodeURIComponent(spoken.heard.join(','))}` : '';
  return [
    ['Twiml', twiml],
    ['StatusCallback', `${url}${heard}`],
    ['StatusCallbackMethod', 'POST'],
    ...reportedEvents.map((event): [string, string] => ['StatusCallbackEvent', event]),
  ];
}

function messageForm(message: Message): Form {
  const url = attemptUrl(message);
  const body: Form = [['Body', shortMessage(message)]];
  return url === '' ? body : [...body, ['StatusCallback', url]];
}

/** Providers know calls by their own references only. */
export async function query(
  send: SendRequest,
  { reference, signal, isVoice }: { reference: string; signal: AbortSignal; isVoice: boolean },
): Promise<ChannelOutcome | undefined> {
  if (reference === '') return undefined;
  const path = `/${isVoice ? 'Calls' : 'Messages'}/${encodeURIComponent(reference)}.json`;
  try {
    const answer = await send('GET', path, { signal });
    if (answer.status === 404) return undefined;
    const resource = resourceOf(answer);
    if (!resource) return { kind: 'unknown', reason: `HTTP ${answer.status}` };
    const { status } = resource;
    return isVoice ? callOutcome({ status, reference }) : messageOutcome({ status, reference, errorCode: 0 });
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) };
  }
}

type HangUp = { reference: string; signal: AbortSignal; farewell: Farewell | undefined };

/** Tells the person why, which the provider does only if somebody listens; otherwise the call just ends. */
export async function hangUp(send: SendRequest, { reference, signal, farewell }: HangUp): Promise<void> {
  if (reference === '') return;
  const path = `/Calls/${encodeURIComponent(reference)}.json`;
  const change = (name: string, value: string) =>
    send('POST', path, { signal, form: [[name, value]] }).catch((): undefined => undefined);
  const told = farewell && (await change('Twiml', farewellTwiml(farewell)));
  if (told?.status !== 200) await change('Status', 'completed');
}

function farewellTwiml(farewell: Farewell): string {
  const { language = '' } = farewell;
  const words = dialogueWordsOf(language);
  return lastWords([farewell.kind === 'taken' ? words.takenBy(farewell.by) : words.over], language);
}

export async function check(send: SendRequest, signal: AbortSignal): ReturnType<Channel['check']> {
  try {
    const { status } = await send('GET', '.json', { signal });
    return status === 200 ? { works: true } : { works: false, reason: `HTTP ${status}` };
  } catch (error) {
    return { works: false, reason: reasonOf(error) };
  }
}
