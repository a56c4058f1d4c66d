import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createListener,
  dialogueEvents,
  dialogueSettings,
  judgedEvents,
  numberedAlarm,
  phoneKeys,
} from '../testing/phone-calls.ts';
import { advanceDialogue, startDialogue } from './dialogue.ts';
import type { Dialogue } from './dialogue-state.ts';
import type { DialogueAction, DialogueEvent } from './dialogue-types.ts';

const calls = fc.array(dialogueEvents, { maxLength: 80, size: 'max' });
const answered: DialogueEvent = { kind: 'answered' };

test('an answer is only about alarms that were said, and each is taken once', () => {
  let presses = 0;
  fc.assert(
    fc.property(dialogueSettings, calls, (settings, events) => {
      let dialogue = startDialogue(settings);
      const listener = createListener();
      const settled = new Set<string>();
      for (const event of [answered, ...events]) {
        listener.happened(event);
        const judged = dialogue.stage.kind === 'judging' ? dialogue.stage.answer.heard : [];
        const step = advanceDialogue(dialogue, event);
        dialogue = step.dialogue;
        for (const action of step.actions) {
          if (action.kind === 'press') {
            presses++;
            expect(listener.told()).toEqual(expect.arrayContaining([...action.heard]));
            expect(action.heard.length).toBeGreaterThan(0);
            expect(action.heard.filter((attempt) => settled.has(attempt))).toEqual([]);
          }
          listener.didHear(action);
        }
        if (event.kind === 'judged' && event.judgement === 'accepted')
          judged.forEach((one) => settled.add(one));
      }
    }),
    { numRuns: 1_000 },
  );
  // Otherwise the property would hold for a dialogue that does nothing.
  expect(presses).toBeGreaterThan(300);
});

test('where a PIN is asked for, keys of the menu alone answer nothing', () => {
  const guarded = dialogueSettings.map((settings) => ({ ...settings, answerBy: 'pin' as const }));
  fc.assert(
    fc.property(guarded, calls, (settings, events) => {
      let dialogue = startDialogue(settings);
      let digits = 0;
      for (const event of [answered, ...events]) {
        const wasEntering = dialogue.stage.kind === 'entering';
        if (event.kind === 'key' && /^[0-9]$/.test(event.key)) digits = wasEntering ? digits + 1 : 0;
        const step = advanceDialogue(dialogue, event);
        dialogue = step.dialogue;
        for (const action of step.actions) {
          if (action.kind !== 'press') continue;
          expect(action.proof.kind).toBe('pin');
          expect(digits).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Plays a phone that carries out the actions, with up to `keys.length` keys in each prompt and each silence. */
function activitiesUntilTheEnd(start: Dialogue, choose: fc.GeneratorValue, maxActivities: number): number {
  let { dialogue, actions } = advanceDialogue(start, answered);
  let activities = 0;
  const happen = (event: DialogueEvent) => {
    const step = advanceDialogue(dialogue, event);
    dialogue = step.dialogue;
    if (step.actions.length > 0) actions = step.actions;
    return step.actions.length > 0;
  };
  const isOver = () => actions.some(({ kind }) => kind === 'hangUp');
  while (!isOver() && activities < maxActivities) {
    activities++;
    const last: DialogueAction | undefined = actions.at(-1);
    const isReplaced = choose(fc.array, phoneKeys, { maxLength: 3 }).some((key) =>
      happen({ kind: 'key', key }),
    );
    if (isReplaced) continue;
    if (actions.some(({ kind }) => kind === 'press')) happen(choose(() => judgedEvents));
    else happen({ kind: last?.kind === 'say' ? 'promptEnded' : 'silence' });
  }
  return activities;
}

test('a call ends, whatever keys are pressed', () => {
  fc.assert(
    fc.property(dialogueSettings, fc.gen(), (settings, choose) => {
      // Each sentence can be followed by a silence, and by a PIN of twelve digits.
      const most = (24 + 6 * settings.alarms.length) * 15;
      expect(activitiesUntilTheEnd(startDialogue(settings), choose, most)).toBeLessThan(most);
    }),
    { numRuns: 300 },
  );
});

/** Whether a call ends in which one key is pressed again and again. */
function endsWithKey(start: Dialogue, key: string): boolean {
  let { dialogue } = advanceDialogue(start, answered);
  for (let round = 0; round < 300; round++) {
    const events: DialogueEvent[] = [
      { kind: 'key', key },
      { kind: 'promptEnded' },
      { kind: 'silence' },
      { kind: 'judged', judgement: 'wrong', takenBy: '' },
    ];
    for (const event of events) ({ dialogue } = advanceDialogue(dialogue, event));
    if (dialogue.stage.kind === 'ended') return true;
  }
  return false;
}

test('a call ends if the same key is pressed for ever', () => {
  const alarms = [1, 2, 3].map(numberedAlarm);
  for (const answerBy of ['digit', 'pin', 'code', 'none'] as const) {
    const start = startDialogue({ language: 'en', answerBy, alarms, hasAlarm: true });
    const endless = Array.from('1234567890*#').filter((key) => !endsWithKey(start, key));
    expect(endless, answerBy).toEqual([]);
  }
});

test('after the call was hung up nothing happens any more', () => {
  let eventsAfterwards = 0;
  fc.assert(
    fc.property(dialogueSettings, calls, (settings, events) => {
      let dialogue = startDialogue(settings);
      let isOver = false;
      for (const event of [answered, ...events]) {
        const step = advanceDialogue(dialogue, event);
        dialogue = step.dialogue;
        if (isOver) {
          eventsAfterwards++;
          expect(step.actions).toEqual([]);
        }
        isOver ||= step.actions.some(({ kind }) => kind === 'hangUp');
      }
    }),
  );
  expect(eventsAfterwards).toBeGreaterThan(10);
});
