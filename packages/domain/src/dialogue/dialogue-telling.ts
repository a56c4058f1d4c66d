import { menuPrompts, numberedAlarm, openingPrompts, textPrompt } from './dialogue-prompts.ts';
import { close, type Dialogue, type DialogueStep, hangUp, isSettled, say } from './dialogue-state.ts';
import type { Prompt } from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';

/** The person has picked up. */
export function open(dialogue: Dialogue): DialogueStep {
  const [first] = dialogue.alarms;
  const words = dialogueWordsOf(dialogue.settings.language);
  if (first === undefined) return close(dialogue, words.goodbye);
  const told = { ...dialogue, unmentioned: 0 };
  return say(told, { kind: 'telling', at: 0 }, openingPrompts(dialogue, first));
}

export function tell(dialogue: Dialogue, at: number, before: readonly Prompt[] = []): DialogueStep {
  return say(dialogue, { kind: 'telling', at }, [...before, ...numberedAlarm(dialogue, at)]);
}

/** Explains the keys, after `before`. */
export function offer(dialogue: Dialogue, at: number, before: readonly Prompt[] = []): DialogueStep {
  const prompts = [...before, ...menuPrompts(dialogue)];
  return say({ ...dialogue, unmentioned: 0 }, { kind: 'offering', at }, prompts);
}

/** The alarm at this position was said to its end. */
export function toldToEnd(dialogue: Dialogue, at: number): DialogueStep {
  const alarm = dialogue.alarms[at];
  const isNew = alarm !== undefined && !dialogue.heard.includes(alarm.attemptId);
  const told = isNew ? { ...dialogue, heard: [...dialogue.heard, alarm.attemptId] } : dialogue;
  const next = told.alarms.findIndex((one, place) => place > at && !isSettled(told, one));
  // With keys a person asks for the next alarm. Otherwise all alarms are said before an answer is asked for.
  const saysAll = told.settings.answerBy === 'code' || told.settings.answerBy === 'none';
  return saysAll && next !== -1 ? tell({ ...told, unmentioned: 0 }, next) : offer(told, at);
}

/** The alarm after this position that is not settled, starting again at the first one. */
export function nextOpen(dialogue: Dialogue, at: number): number {
  const places = dialogue.alarms.flatMap((alarm, place) => (isSettled(dialogue, alarm) ? [] : [place]));
  return places.find((place) => place > at) ?? places[0] ?? at;
}

/** Goes on with the alarms that are not settled, first with those that were not heard; hangs up after the last. */
export function goOn(dialogue: Dialogue): DialogueStep {
  const places = dialogue.alarms.flatMap((alarm, place) => (isSettled(dialogue, alarm) ? [] : [place]));
  const isUnheard = (place: number) => {
    const alarm = dialogue.alarms[place];
    return alarm !== undefined && !dialogue.heard.includes(alarm.attemptId);
  };
  const next = places.find(isUnheard) ?? places[0];
  if (next === undefined || dialogue.farewell !== undefined) return hangUp(dialogue);
  const { further } = dialogueWordsOf(dialogue.settings.language);
  const count = dialogue.settings.hasAlarm ? [textPrompt(further(places.length))] : [];
  return tell({ ...dialogue, unmentioned: 0 }, next, count);
}
