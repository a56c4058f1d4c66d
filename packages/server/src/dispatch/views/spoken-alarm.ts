import type { SpokenAlarm, TemplateLanguage } from '@tocsin/contract';
import {
  advanceDialogue,
  type DialogueAction,
  formatInZone,
  startDialogue,
  type TemplateValues,
} from '@tocsin/domain';
import { callableOccasion } from '../../alarms/decide/alarm-escalations.ts';
import type { AlarmRecord } from '../../alarms/decide/alarm-record.ts';
import type { ChannelRow } from '../../channels/channel.store.ts';
import type { TemplateRow } from '../../channels/templates/message-template.store.ts';
import { fill } from '../../channels/templates/templated-text.ts';

/** Stands for the digits of a code: each call has its own. */
const anyCode = '······';

type AnswerBy = SpokenAlarm['answerBy'];

export type SpeechSources = {
  readonly templates: readonly TemplateRow[];
  /** The enabled ones, in the order in which they are tried. */
  readonly channels: readonly ChannelRow[];
};

/** What a person hears who answers a call about this alarm, up to the keys that can be pressed. */
export function spokenAlarm(
  record: AlarmRecord,
  language: TemplateLanguage,
  { templates, channels }: SpeechSources,
): SpokenAlarm {
  const { message } = callableOccasion(record, 'raised');
  const template = templates.find((one) => one.medium === 'Voice' && one.language === language);
  const templated = template && fill(template, valuesOf(record)).text;
  const answerBy = answerByOf(channels);
  const alarms = [{ attemptId: '', text: templated || message.text, audio: message.audio }];
  const dialogue = startDialogue({ language, answerBy, alarms, hasAlarm: true, code: anyCode });
  const opening = advanceDialogue(dialogue, { kind: 'answered' });
  const menu = advanceDialogue(opening.dialogue, { kind: 'promptEnded' });
  const sentences = [...opening.actions, ...menu.actions].flatMap(saidBy);
  return { language, sentences, recording: message.audio, answerBy };
}

const saidBy = (action: DialogueAction): string[] =>
  action.kind === 'say' ? action.prompts.map(({ text }) => text) : [];

/** As the first telephone line has it. Providers that are called over HTTP read out a code. */
function answerByOf(channels: readonly ChannelRow[]): AnswerBy {
  const line = channels.find(({ medium }) => medium === 'Voice');
  if (!line) return 'none';
  if (line.kind !== 'sip') return 'code';
  const { answerBy = 'digit' } = line.settings as { answerBy?: AnswerBy };
  return answerBy;
}

/** The same values as in a call, without the name of the person, who is not known yet. */
function valuesOf(record: AlarmRecord): TemplateValues {
  const { definition, status, timeZone, stationName, dataServerName } = record;
  const { message } = callableOccasion(record, 'raised');
  return {
    name: definition.localizedName,
    path: definition.path,
    message: message.text,
    shortMessage: message.shortText,
    priority: String(definition.priority),
    value: status.value,
    dataServer: dataServerName,
    station: stationName,
    time: formatInZone(timeZone, status.raisedAt).slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' '),
    person: '',
  };
}
