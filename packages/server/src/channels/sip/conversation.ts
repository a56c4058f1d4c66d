import {
  advanceDialogue,
  canAnnounce,
  type DialogueAction,
  type DialogueEvent,
  type DialogueSettings,
  type Prompt,
  startDialogue,
} from '@tocsin/domain';
import type { Farewell } from '../port/channel.ts';
import type { PressedKeys, ReportReply } from '../port/outcome.ts';

/** The telephone side of a conversation. */
export type Line = {
  /** Plays a file from its beginning, in place of what is being played. */
  play(file: string): Promise<void>;
  hangUp(): void;
};

export type ConversationParts = {
  readonly settings: DialogueSettings;
  readonly line: Line;
  readonly silence: string;
  readonly render: (prompts: readonly Prompt[]) => Promise<{ file: string; seconds: number }>;
  /** Never rejects. */
  readonly press: (pressed: Omit<PressedKeys, 'kind' | 'reference'>) => Promise<ReportReply>;
};

export type Conversation = {
  handle(event: DialogueEvent): void;
  canAnnounce(): boolean;
  /** The attempts whose alarms were said, or answered while they were said, by name. */
  heard(): readonly string[];
  /** Ends the call, with a last sentence if there is one. */
  end(farewell: Farewell | undefined): void;
  /** Nothing is said or waited for any more. */
  stop(): void;
};

/** Time for the last sound to reach the phone. */
const playOutMs = 250;

/** Carries out the actions of a dialogue: plays prompts, waits for keys, reports choices. */
export function createConversation(parts: ConversationParts): Conversation {
  let dialogue = startDialogue(parts.settings);
  let isStopped = false;
  const voice = createVoice(parts, (event) => handle(event));

  const judge = async ({ choice, heard, proof }: Extract<DialogueAction, { kind: 'press' }>) => {
    const { judgement, takenBy } = await parts.press({ choice, heard, proof });
    // Without a judgement the server could not store the choice. Silence makes the dialogue say so.
    handle(judgement === '' ? { kind: 'silence' } : { kind: 'judged', judgement, takenBy });
  };
  const perform = (action: DialogueAction) => {
    if (action.kind === 'say') voice.say(action.prompts);
    else if (action.kind === 'listen') voice.listen(action.seconds);
    else if (action.kind === 'press') void judge(action);
    else parts.line.hangUp();
  };
  const handle = (event: DialogueEvent) => {
    if (isStopped) return;
    const step = advanceDialogue(dialogue, event);
    dialogue = step.dialogue;
    for (const action of step.actions) perform(action);
  };
  return {
    handle,
    canAnnounce: () => !isStopped && canAnnounce(dialogue),
    heard: () => [...new Set([...dialogue.heard, ...dialogue.settled])],
    end: (farewell) => {
      // Somebody who has just answered hears the result first.
      const isAnswering = ['judging', 'concluding'].includes(dialogue.stage.kind);
      if (farewell || isAnswering) handle({ kind: 'farewell', reason: farewell ?? { kind: 'over' } });
      else parts.line.hangUp();
    },
    stop: () => {
      isStopped = true;
      voice.stop();
    },
  };
}

/** Says prompts and waits for keys, one at a time. */
function createVoice(
  { line, render, silence }: ConversationParts,
  onTime: (event: DialogueEvent) => void,
): { say(prompts: readonly Prompt[]): void; listen(seconds: number): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let sayings = 0;
  let isSpeaking = false;
  const wait = (ms: number, kind: 'promptEnded' | 'silence') => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isSpeaking = false;
      onTime({ kind });
    }, ms);
  };
  const speak = async (prompts: readonly Prompt[], mine: number) => {
    const { file, seconds } = await render(prompts);
    if (mine !== sayings) return;
    // Without a file the person hears nothing; a missing file would end the call.
    await line.play(file === '' ? silence : file);
    if (mine === sayings) wait(seconds * 1_000 + playOutMs, 'promptEnded');
  };
  return {
    say: (prompts) => {
      clearTimeout(timer);
      sayings += 1;
      isSpeaking = true;
      void speak(prompts, sayings);
    },
    listen: (seconds) => {
      sayings += 1;
      // The person presses keys already, and need not hear the rest.
      if (isSpeaking) void line.play(silence);
      isSpeaking = false;
      wait(seconds * 1_000, 'silence');
    },
    stop: () => {
      sayings += 1;
      clearTimeout(timer);
    },
  };
}
