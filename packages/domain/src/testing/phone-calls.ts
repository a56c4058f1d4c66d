import * as fc from 'fast-check';
import type {
  DialogueAction,
  DialogueAlarm,
  DialogueEvent,
  DialogueSettings,
} from '../dialogue/dialogue-types.ts';

export const numberedAlarm = (number: number): DialogueAlarm => ({
  attemptId: `attempt ${number}`,
  text: `text ${number}`,
  audio: number % 2 === 0 ? '' : `recording ${number}`,
});

const alarms = fc
  .integer({ min: 0, max: 4 })
  .map((count) => Array.from({ length: count }, (_, number) => numberedAlarm(number)));

export const dialogueSettings: fc.Arbitrary<DialogueSettings> = fc.record({
  language: fc.constantFrom('en', 'fr', 'de', 'es', 'xx', ''),
  answerBy: fc.constantFrom('digit', 'pin', 'code', 'none'),
  alarms,
  hasAlarm: fc.boolean(),
  code: fc.constant('482913'),
});

export const phoneKeys: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '2', '3', '4', '*', '#') },
  { weight: 1, arbitrary: fc.constantFrom('0', '5', '6', '7', '8', '9', 'A', '', '12') },
);

const judgements = fc.constantFrom('accepted', 'wrong', 'locked', 'late', 'not-allowed');

export const judgedEvents: fc.Arbitrary<DialogueEvent> = judgements.map((judgement) => ({
  kind: 'judged',
  judgement,
  takenBy: 'Ann',
}));

/** Events in any order, whether they make sense or not. */
export const dialogueEvents: fc.Arbitrary<DialogueEvent> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<DialogueEvent>({ kind: 'answered' }) },
  { weight: 6, arbitrary: fc.constant<DialogueEvent>({ kind: 'promptEnded' }) },
  { weight: 9, arbitrary: phoneKeys.map((key): DialogueEvent => ({ kind: 'key', key })) },
  { weight: 2, arbitrary: fc.constant<DialogueEvent>({ kind: 'silence' }) },
  { weight: 4, arbitrary: judgedEvents },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 9 })
      .map((number): DialogueEvent => ({ kind: 'announced', alarms: [numberedAlarm(number)] })),
  },
);

/** The attempt whose alarm is among the prompts. */
function attemptSaidIn(action: DialogueAction): string | undefined {
  const prompts = action.kind === 'say' ? action.prompts : [];
  const number = prompts.map(({ text }) => /^text (\d+)$/.exec(text)?.[1]).find((one) => one !== undefined);
  return number === undefined ? undefined : `attempt ${number}`;
}

/** Remembers what a person on the phone has heard, without the state of the dialogue. */
export type Listener = {
  happened(event: DialogueEvent): void;
  didHear(action: DialogueAction): void;
  /** The attempts whose alarms were said to their end, and the one that was said last. */
  told(): string[];
};

export function createListener(): Listener {
  const saidToEnd = new Set<string>();
  let latest: string | undefined;
  let isPlaying = false;
  return {
    happened(event) {
      if (event.kind === 'promptEnded' && isPlaying && latest !== undefined) saidToEnd.add(latest);
    },
    didHear(action) {
      const said = attemptSaidIn(action);
      isPlaying = said !== undefined;
      latest = said ?? latest;
    },
    told: () => [...saidToEnd, ...(latest === undefined ? [] : [latest])],
  };
}
