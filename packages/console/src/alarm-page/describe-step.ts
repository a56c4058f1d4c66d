import type { TimelineEntry } from '@tocsin/contract';
import type { IconName } from '../symbols/icon-names.ts';
import { roughDuration } from '../time/durations.ts';
import type { Words } from '../words/use-words.ts';

type Call = NonNullable<TimelineEntry['call']>;

const icons: Record<TimelineEntry['kind'], IconName> = {
  defined: 'tags',
  raised: 'activity',
  repeated: 'activity',
  acknowledged: 'check',
  reset: 'undo-2',
  masked: 'eye-off',
  unmasked: 'eye-off',
  commented: 'message-square',
  silenced: 'bell-off',
  withheld: 'pause',
  called: 'phone',
  answered: 'phone-incoming',
  'call-noticed': 'circle-alert',
  'calls-ended': 'phone-off',
  'command-refused': 'terminal',
};

export const entryIcon = ({ kind }: TimelineEntry): IconName => icons[kind];

const mediumIcons: Record<string, IconName> = {
  Voice: 'phone',
  Sms: 'message-square-text',
  Email: 'mail',
  Push: 'smartphone',
};

export const mediumIcon = (medium: string): IconName => mediumIcons[medium] ?? 'send';

export function mediumName(medium: string, words: Words): string {
  return words.media[medium as keyof Words['media']] ?? medium;
}

/** `Phone …4217`: how somebody is called, with the end of the address. */
export function describeAddress({ medium, address }: Pick<Call, 'medium' | 'address'>, words: Words): string {
  const name = mediumName(medium, words);
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  const end = address.replace(/^\*+/, '');
  return end === '' ? capital : `${capital} …${end}`;
}

/** What came of an attempt, and how long a telephone rang in vain. */
export function describeOutcome(call: Call, startedAt: number, words: Words): string {
  const { status, reason, endTime, medium } = call;
  const outcome = words.alarm.statuses[status];
  if (status === 'NoAnswer' && medium === 'Voice' && endTime !== undefined)
    return words.alarm.rang(outcome, roughDuration(Date.parse(endTime) - startedAt));
  return reason === '' ? outcome : `${outcome}, ${reason}`;
}

/** An event in bold, and the rest of its sentence. */
export function describeEvent(
  entry: TimelineEntry,
  words: Words,
): { bold: string; rest: string; result: string } {
  const { kind, actor, detail, answer, notice } = entry;
  if (answer) {
    const result = answer.judgement === 'accepted' ? '' : answer.judgement;
    return { bold: actor, rest: words.alarm.intents[answer.intent], result };
  }
  if (notice) {
    const told = words.alarm.notices[notice.kind as keyof Words['alarm']['notices']] ?? notice.kind;
    return { bold: '', rest: told, result: detail };
  }
  if (kind === 'commented') return { bold: actor, rest: `“${detail}”`, result: '' };
  const bold = words.alarm.events[kind];
  return { bold, rest: actor === '' ? '' : words.alarm.by(actor), result: detail };
}
