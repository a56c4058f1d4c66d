import type { DialogueAlarm, DialogueSettings } from '@tocsin/domain';
import type { Message, MessageAlarm } from '../port/message.ts';
import type { Trunk } from './sip-settings.ts';

/** The dialogue of a message: about its alarms, or about its text if a person has requested the call. */
export function dialogueSettingsOf(
  message: Message,
  { answerBy }: Pick<Trunk, 'answerBy'>,
): DialogueSettings {
  const { language, answer, attemptId, text, audio, notice } = message;
  const [first, ...others] = message.alarms;
  const whole: DialogueAlarm = { attemptId: first?.attemptId ?? attemptId, text, audio };
  return {
    language,
    answerBy: answer === undefined ? 'none' : notice === undefined ? answerBy : 'digit',
    // The text of a single alarm is the whole message; a bundle names each of its alarms.
    alarms: others.length === 0 ? [whole] : message.alarms.map(dialogueAlarmOf),
    hasAlarm: message.alarmCount > 0,
    isNotice: notice !== undefined,
    ...(answer !== undefined && { code: answer.code }),
  };
}

export function dialogueAlarmOf({ attemptId, message, audio }: MessageAlarm): DialogueAlarm {
  return { attemptId, text: message, audio };
}
