import type { ShiftSummary } from '@tocsin/contract';
import { shortDuration } from '../time/durations.ts';
import { useWords } from '../words/use-words.ts';
import { calledPeople, meanUntilTaken } from './figures.ts';
import { type Asked, useCallsOf, useOccurrencesOf } from './shift-queries.ts';

type Props = { readonly summary: ShiftSummary; readonly asked: Asked };

/** The period in six figures. A figure that is not known is a dash, never zero. */
export function FiguresRow({ summary, asked }: Props) {
  const words = useWords().shift;
  const calls = useCallsOf(asked);
  const occurrences = useOccurrencesOf(asked);
  const mean = occurrences ? meanUntilTaken(occurrences) : undefined;
  const urgent = summary.raised.priorities
    .filter(({ priority }) => priority <= 1)
    .reduce((sum, { raised }) => sum + raised, 0);
  const figures: readonly (readonly [string, string])[] = [
    [String(summary.raised.total), words.figures.raised],
    [String(urgent), words.figures.urgent],
    [calls ? String(calls.length) : '–', words.figures.calls],
    [calls ? String(calledPeople(calls).length) : '–', words.figures.people],
    [mean === undefined ? '–' : shortDuration(mean), words.figures.mean],
    [String(summary.failedCalls.total), words.figures.failed],
  ];
  return (
    <div className="nums">
      {figures.map(([figure, name]) => (
        <div key={name}>
          <b>{figure}</b>
          {name}
        </div>
      ))}
    </div>
  );
}
