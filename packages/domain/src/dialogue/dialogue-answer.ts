import { alarmPrompt, textPrompt } from './dialogue-prompts.ts';
import { close, type Dialogue, type DialogueStep, type PendingAnswer, say, stay } from './dialogue-state.ts';
import { offer } from './dialogue-telling.ts';
import type { DialogueEvent, FarewellReason, PressProof, Prompt } from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';
import type { DialogueWords } from './words/words.ts';

/** After this time without a judgement the person is told that the answer was not recorded. */
const judgementSeconds = 15;
const maxWrongEntries = 3;

/** Reports an answer and waits for the judgement. */
export function press(
  dialogue: Dialogue,
  { at, answer, proof }: { at: number; answer: PendingAnswer; proof: PressProof },
): DialogueStep {
  const { choice, heard } = answer;
  return {
    dialogue: { ...dialogue, stage: { kind: 'judging', at, answer } },
    actions: [
      { kind: 'press', choice, heard, proof },
      { kind: 'listen', seconds: judgementSeconds },
    ],
  };
}

type Judged = Extract<DialogueEvent, { kind: 'judged' }>;

export function concludeJudgement(dialogue: Dialogue, { judgement, takenBy }: Judged): DialogueStep {
  const { stage } = dialogue;
  if (stage.kind !== 'judging') return stay(dialogue);
  const words = dialogueWordsOf(dialogue.settings.language);
  if (judgement === 'wrong') return rejectEntry(dialogue, stage);
  if (judgement === 'locked') return close(dialogue, words.tooManyWrong);
  const settled = [...dialogue.settled, ...stage.answer.heard];
  const sentence = {
    accepted: () => acceptedPrompts(words, stage.answer),
    late: () => [textPrompt(takenBy === '' ? words.tooLate : words.takenBefore(takenBy))],
    'not-allowed': () => [textPrompt(words.notAllowed)],
  }[judgement];
  return say({ ...dialogue, settled }, { kind: 'concluding' }, sentence());
}

/** A person who answered in the middle of an alarm hears all of it, so that they know what they have taken. */
function acceptedPrompts(words: DialogueWords, { choice, heard, interrupted }: PendingAnswer): Prompt[] {
  if (choice === 'refuse') return [textPrompt(words.refused)];
  if (choice === 'confirm') return [textPrompt(words.confirmed)];
  const again = interrupted === undefined ? [] : [alarmPrompt(interrupted)];
  return [textPrompt(words.taken(heard.length)), ...again];
}

function rejectEntry(
  dialogue: Dialogue,
  { at, answer }: { at: number; answer: PendingAnswer },
): DialogueStep {
  const { settings, farewell, wrongEntries } = dialogue;
  const words = dialogueWordsOf(settings.language);
  if (farewell !== undefined) return close(dialogue, farewellSentence(dialogue, farewell));
  const counted = { ...dialogue, wrongEntries: wrongEntries + 1 };
  if (counted.wrongEntries >= maxWrongEntries) return close(counted, words.tooManyWrong);
  if (settings.answerBy !== 'pin') return offer(counted, at, [textPrompt(words.wrongCode)]);
  const prompts = [words.wrongPin, words.enterPin].map(textPrompt);
  return say(counted, { kind: 'entering', at, answer, entry: '' }, prompts);
}

/** The call is to end. An answer that is being judged is finished first, because its person waits for the result. */
export function bidFarewell(dialogue: Dialogue, reason: FarewellReason): DialogueStep {
  const { kind } = dialogue.stage;
  if (kind === 'judging' || kind === 'concluding') return stay({ ...dialogue, farewell: reason });
  return close(dialogue, farewellSentence(dialogue, reason));
}

function farewellSentence({ settings }: Dialogue, reason: FarewellReason): string {
  const words = dialogueWordsOf(settings.language);
  if (!settings.hasAlarm) return words.goodbye;
  return reason.kind === 'taken' ? words.takenBy(reason.by) : words.over;
}
