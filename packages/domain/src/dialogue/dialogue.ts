import { bidFarewell, concludeJudgement } from './dialogue-answer.ts';
import { askForPin, pressEntryKey, pressMenuKey, submitEntry } from './dialogue-keys.ts';
import {
  close,
  type Dialogue,
  type DialogueStep,
  hangUp,
  sentencesPerAlarm,
  sentencesPerCall,
  stay,
} from './dialogue-state.ts';
import { goOn, nextOpen, offer, open, tell, toldToEnd } from './dialogue-telling.ts';
import type { DialogueAlarm, DialogueEvent, DialogueSettings } from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';

/** How often a person who presses nothing is asked, the first time included. */
const maxRounds = 3;
const menuSeconds = 6;
const pinSeconds = 8;

/** The dialogue of a call that is about to be placed. */
export function startDialogue(settings: DialogueSettings): Dialogue {
  const empty: Dialogue = {
    settings,
    alarms: [],
    heard: [],
    settled: [],
    unmentioned: 0,
    silentRounds: 0,
    wrongEntries: 0,
    sentencesLeft: sentencesPerCall,
    farewell: undefined,
    stage: { kind: 'ringing' },
  };
  return join(empty, settings.alarms);
}

/** Whether the call can still tell further alarms. */
export function canAnnounce({ stage, farewell }: Dialogue): boolean {
  return stage.kind !== 'closing' && stage.kind !== 'ended' && farewell === undefined;
}

/** Decides what the phone does after an event. Any event is allowed at any time; one that makes no sense changes nothing. */
export function advanceDialogue(dialogue: Dialogue, event: DialogueEvent): DialogueStep {
  const { kind } = dialogue.stage;
  if (kind === 'ended') return stay(dialogue);
  if (kind === 'ringing') return whileRinging(dialogue, event);
  if (kind === 'closing') return event.kind === 'promptEnded' ? hangUp(dialogue) : stay(dialogue);
  switch (event.kind) {
    case 'answered':
      return stay(dialogue);
    case 'promptEnded':
      return promptEnded(dialogue);
    case 'key':
      return keyPressed(dialogue, event.key);
    case 'silence':
      return silence(dialogue);
    case 'announced':
      return stay(join(dialogue, event.alarms));
    case 'judged':
      return concludeJudgement(dialogue, event);
    case 'farewell':
      return bidFarewell(dialogue, event.reason);
  }
}

function whileRinging(dialogue: Dialogue, event: DialogueEvent): DialogueStep {
  if (event.kind === 'answered') return open(dialogue);
  if (event.kind === 'announced') return stay(join(dialogue, event.alarms));
  return event.kind === 'farewell' ? hangUp(dialogue) : stay(dialogue);
}

function promptEnded(dialogue: Dialogue): DialogueStep {
  const { stage } = dialogue;
  if (stage.kind === 'telling') return toldToEnd(dialogue, stage.at);
  if (stage.kind === 'offering') {
    return dialogue.unmentioned > 0 ? mention(dialogue, stage.at) : wait(dialogue, menuSeconds);
  }
  if (stage.kind === 'entering' && stage.entry === '') return wait(dialogue, pinSeconds);
  return stage.kind === 'concluding' ? goOn(dialogue) : stay(dialogue);
}

function wait(dialogue: Dialogue, seconds: number): DialogueStep {
  return { dialogue, actions: [{ kind: 'listen', seconds }] };
}

function keyPressed(dialogue: Dialogue, key: string): DialogueStep {
  const { stage } = dialogue;
  if (stage.kind === 'telling' || stage.kind === 'offering') return pressMenuKey(dialogue, stage.at, key);
  return stage.kind === 'entering' ? pressEntryKey(dialogue, stage, key) : stay(dialogue);
}

function silence(dialogue: Dialogue): DialogueStep {
  const { stage, settings, silentRounds } = dialogue;
  const words = dialogueWordsOf(settings.language);
  if (stage.kind === 'judging') return close(dialogue, words.notRecorded);
  if (stage.kind !== 'offering' && stage.kind !== 'entering') return stay(dialogue);
  if (stage.kind === 'entering' && stage.entry !== '') return submitEntry(dialogue, stage);
  if (stage.kind === 'offering' && dialogue.unmentioned > 0) return mention(dialogue, stage.at);
  const counted = { ...dialogue, silentRounds: silentRounds + 1 };
  if (counted.silentRounds >= maxRounds || settings.answerBy === 'none') return close(counted, words.goodbye);
  if (stage.kind === 'entering') return askForPin(counted, stage.at, stage.answer);
  return tell(counted, settings.answerBy === 'code' ? nextOpen(counted, -1) : stage.at);
}

/** Adds alarms to the list. They are mentioned later, so that the person is not interrupted. */
function join(dialogue: Dialogue, added: readonly DialogueAlarm[]): Dialogue {
  const alarms = [...dialogue.alarms];
  for (const alarm of added) {
    if (!alarms.some(({ attemptId }) => attemptId === alarm.attemptId)) alarms.push(alarm);
  }
  const count = alarms.length - dialogue.alarms.length;
  return {
    ...dialogue,
    alarms,
    unmentioned: dialogue.unmentioned + count,
    sentencesLeft: dialogue.sentencesLeft + sentencesPerAlarm * count,
  };
}

/** Mentions the alarms that joined the call; where no key asks for the next alarm, says them. */
function mention(dialogue: Dialogue, at: number): DialogueStep {
  const saysAll = dialogue.settings.answerBy === 'code' || dialogue.settings.answerBy === 'none';
  if (!saysAll) return offer(dialogue, at);
  const next = dialogue.alarms.length - dialogue.unmentioned;
  return tell({ ...dialogue, unmentioned: 0 }, next);
}
