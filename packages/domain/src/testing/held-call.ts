import { advanceDialogue, startDialogue } from '../dialogue/dialogue.ts';
import type {
  DialogueAction,
  DialogueAlarm,
  DialogueEvent,
  DialogueSettings,
} from '../dialogue/dialogue-types.ts';

export type Press = Extract<DialogueAction, { kind: 'press' }>;

export const pump: DialogueAlarm = { attemptId: 'pump', text: 'Pump 3 has failed.', audio: '' };
export const boiler: DialogueAlarm = { attemptId: 'boiler', text: 'The boiler is too hot.', audio: '' };
export const gate: DialogueAlarm = { attemptId: 'gate', text: 'The gate is open.', audio: '' };

/** A person on the phone, who holds the dialogue of a call. */
export type HeldCall = {
  event(event: DialogueEvent): HeldCall;
  /** Listens to the whole prompt, so many times. */
  hear(times?: number): HeldCall;
  /** Presses keys one after the other. */
  keys(keys: string): HeldCall;
  judged(judgement: Extract<DialogueEvent, { kind: 'judged' }>['judgement'], takenBy?: string): HeldCall;
  silence(): HeldCall;
  /** The text that was said last. */
  readonly said: string;
  /** Everything that was said, in order. */
  readonly saidAll: readonly string[];
  readonly presses: readonly Press[];
  readonly actions: readonly DialogueAction[];
  readonly isOver: boolean;
};

export function holdCall(more: Partial<DialogueSettings> = {}): HeldCall {
  let dialogue = startDialogue({
    language: 'en',
    answerBy: 'digit',
    alarms: [pump],
    hasAlarm: true,
    ...more,
  });
  const actions: DialogueAction[] = [];
  const texts = () => actions.flatMap((action) => (action.kind === 'say' ? [sentenceOf(action)] : []));
  const call: HeldCall = {
    event(event) {
      const step = advanceDialogue(dialogue, event);
      dialogue = step.dialogue;
      actions.push(...step.actions);
      return call;
    },
    hear(times = 1) {
      for (let time = 0; time < times; time++) call.event({ kind: 'promptEnded' });
      return call;
    },
    keys(keys) {
      for (const key of keys) call.event({ kind: 'key', key });
      return call;
    },
    judged: (judgement, takenBy = '') => call.event({ kind: 'judged', judgement, takenBy }),
    silence: () => call.event({ kind: 'silence' }),
    get said() {
      return texts().at(-1) ?? '';
    },
    get saidAll() {
      return texts();
    },
    get presses() {
      return actions.filter((action) => action.kind === 'press');
    },
    actions,
    get isOver() {
      return actions.at(-1)?.kind === 'hangUp';
    },
  };
  return call;
}

/** A call that somebody has just answered. */
export const answeredCall = (more: Partial<DialogueSettings> = {}): HeldCall =>
  holdCall(more).event({ kind: 'answered' });

function sentenceOf({ prompts }: Extract<DialogueAction, { kind: 'say' }>): string {
  return prompts.map((prompt) => (prompt.kind === 'audio' ? `[${prompt.name}]` : prompt.text)).join(' ');
}
