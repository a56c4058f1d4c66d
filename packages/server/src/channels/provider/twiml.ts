import { dialogueLanguageOf, dialogueWordsOf } from '@tocsin/domain';
import { encodeSpokenCall, type SpokenCall } from './spoken-call.ts';

/** A place in a call: what is said, how often it was, and how often the person pressed nothing. */
export type CallTurn = { readonly spoken: SpokenCall; readonly turn: number; readonly silent: number };

export const twimlType = 'text/xml; charset=utf-8';
const keySeconds = 6;

/** The voices of providers are for a region. */
const regions = { en: 'en-GB', fr: 'fr-FR', de: 'de-DE', es: 'es-ES' } as const;
const knownTags = new Set(['en-US', 'en-AU', 'fr-CA', 'es-MX', ...Object.values(regions)]);

/** Says the alarms and the menu, and waits for one key. Without a call-back URL nobody can answer. */
export function callTwiml({ spoken, turn, silent }: CallTurn, callbackUrl: string): string {
  const { language, lines, answer } = spoken;
  const words = dialogueWordsOf(language);
  if (answer === 'none' || callbackUrl === '') return lastWords([...lines, words.goodbye], language);
  const menu =
    answer === 'confirm'
      ? [words.pressToConfirm, words.pressToRepeat]
      : [
          lines.length > 1 ? words.pressToTakeHeard : words.pressToTake,
          words.pressToRefuse,
          words.pressToRepeat,
        ];
  const action = turnUrl(callbackUrl, { spoken, turn, silent });
  // An empty `finishOnKey` lets the star be a key like any other.
  const gather = `<Gather input="dtmf" numDigits="1" finishOnKey="" timeout="${keySeconds}" actionOnEmptyResult="true" action="${escapeXml(action)}" method="POST">`;
  return response(`${gather}${say([...lines, ...menu], language)}</Gather>`);
}

/** Says something and hangs up. */
export function lastWords(lines: readonly string[], language: string): string {
  return response(`${say(lines, language)}<Hangup/>`);
}

export const emptyTwiml = response('');

function turnUrl(callbackUrl: string, { spoken, turn, silent }: CallTurn): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('turn', String(turn));
  url.searchParams.set('silent', String(silent));
  url.searchParams.set('say', encodeSpokenCall(spoken));
  return url.href;
}

function response(verbs: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
}

function say(lines: readonly string[], language: string): string {
  const tag = knownTags.has(language) ? language : regions[dialogueLanguageOf(language)];
  return lines.map((line) => `<Say language="${tag}">${escapeXml(line)}</Say>`).join('<Pause length="1"/>');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML 1.0 allows these nowhere, not even escaped: a provider would refuse the document, and say nothing to the person. */
const notInXml = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

function escapeXml(text: string): string {
  return text.replace(notInXml, ' ').replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
