import { ProblemError } from '../problem.ts';

/** Something that only so many may use at once. */
export type Place = { subject: string; atOnce: number };

/** Runs `work` when there is room at all the places, in the order of asking. */
export type Turns = <Result>(places: readonly Place[], work: () => Promise<Result>) => Promise<Result>;

type Line = { inside: number; waiting: (() => void)[] };

/** Lines before places; whoever finds a line of `longestLine` is sent away with 429. */
export function createTurns(longestLine: number): Turns {
  const lines = new Map<string, Line>();

  async function enter({ subject, atOnce }: Place): Promise<void> {
    const line = lines.get(subject) ?? { inside: 0, waiting: [] };
    lines.set(subject, line);
    if (line.inside < atOnce) {
      line.inside += 1;
      return;
    }
    if (line.waiting.length >= longestLine) {
      throw new ProblemError('too-many-requests', 'Too many log-ins at once', {
        headers: { 'retry-after': '1' },
      });
    }
    await new Promise<void>((resolve) => line.waiting.push(resolve));
  }

  function leave({ subject }: Place): void {
    const line = lines.get(subject);
    const next = line?.waiting.shift();
    if (next) return next();
    if (line && --line.inside === 0) lines.delete(subject);
  }

  return async function takeTurn([place, ...others], work) {
    if (place === undefined) return work();
    await enter(place);
    try {
      return await takeTurn(others, work);
    } finally {
      leave(place);
    }
  };
}
