import type { Guidance } from '@tocsin/contract';

/** The parts of a guidance, in the order in which they are read. */
export const parts = ['steps', 'cause', 'consequence', 'contacts', 'files', 'respondSeconds'] as const;
export type Part = (typeof parts)[number];

/** What somebody is writing. Lists are texts, so that a line that is being typed may be empty. */
export type Draft = {
  readonly steps: readonly string[];
  readonly cause: string;
  readonly consequence: string;
  /** One contact per line. */
  readonly contacts: string;
  readonly files: readonly string[];
  readonly minutes: string;
};

const noGuidance: Guidance = {
  steps: [],
  cause: '',
  consequence: '',
  contacts: [],
  files: [],
  respondSeconds: 0,
};

export function toDraft(guidance: Guidance = noGuidance): Draft {
  const { steps, cause, consequence, contacts, files, respondSeconds } = guidance;
  return {
    steps: steps.length === 0 ? [''] : steps,
    cause,
    consequence,
    contacts: contacts.join('\n'),
    files,
    minutes: respondSeconds === 0 ? '' : String(respondSeconds / 60),
  };
}

const filled = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '');

/** What is sent: without empty lines, and with the time in seconds. */
export function toGuidance({ steps, cause, consequence, contacts, files, minutes }: Draft): Guidance {
  const seconds = Math.round(60 * Number(minutes));
  return {
    steps: filled(steps),
    cause: cause.trim(),
    consequence: consequence.trim(),
    contacts: filled(contacts.split('\n')),
    files: [...files],
    respondSeconds: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
  };
}

const textOf = (guidance: Guidance, part: Part) => JSON.stringify(guidance[part]);

/** The parts in which two texts differ. No text is an empty one. */
export const differentParts = (a: Guidance = noGuidance, b: Guidance = noGuidance): readonly Part[] =>
  parts.filter((part) => textOf(a, part) !== textOf(b, part));

/** Whether there is anything to read. */
export const isEmpty = (guidance: Guidance): boolean => differentParts(guidance).length === 0;

/** A step moved up or down by one place; the first and the last stay. */
export function moveStep(steps: readonly string[], index: number, by: -1 | 1): readonly string[] {
  const [moved, other] = [steps[index], steps[index + by]];
  return moved === undefined || other === undefined
    ? steps
    : steps.with(index, other).with(index + by, moved);
}
