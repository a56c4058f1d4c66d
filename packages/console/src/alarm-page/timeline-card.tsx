import { useLayoutEffect, useRef, useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { timelineCall } from './alarm-queries.ts';
import type { PlannedCall } from './planned-calls.ts';
import { PlannedLine } from './planned-line.tsx';
import { TimelineLine } from './timeline-line.tsx';
import { countSteps, isShown, type StepFilter, stepFilters, type TimelineStep } from './timeline-steps.ts';

const shownPlanned = 8;

type Props = {
  readonly alarmId: number;
  readonly steps: readonly TimelineStep[];
  readonly following: readonly PlannedCall[];
  readonly groups: ReadonlyMap<number, string>;
};

/** What happened, each call attempt, and what follows. */
export function TimelineCard({ alarmId, steps, following, groups }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const [filter, setFilter] = useState<StepFilter>('all');
  const scroller = useNewest(steps.length);
  return (
    <section className="card tl">
      <header>
        <h2>{words.panel.timeline}</h2>
        <span className="fill" />
        <span className="seg" role="group" aria-label={words.alarm.show}>
          {stepFilters.map((each) => (
            <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
              {words.alarm.filters[each]} {countSteps(steps, each)}
            </button>
          ))}
        </span>
        <ApiCallButton call={timelineCall(alarmId)} of={words.panel.timeline} />
      </header>
      <div className="tlscroll" ref={scroller} role="region" tabIndex={0} aria-label={words.panel.timeline}>
        <ol className="timeline">
          {steps
            .filter((step) => isShown(step, filter))
            .map((step) => (
              <TimelineLine key={step.key} step={step} groups={groups} />
            ))}
          {following.length > 0 && filter !== 'comments' && (
            <>
              <li className="nowline">
                <time>{time.clock(now)}</time>
                <span>{words.alarm.nowLine}</span>
              </li>
              {following.slice(0, shownPlanned).map((call, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same person may be called again at the same second.
                <PlannedLine key={index} call={call} since={now} />
              ))}
            </>
          )}
        </ol>
      </div>
    </section>
  );
}

/** Shows the newest line, unless somebody has scrolled back to read. */
function useNewest(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const seenHeight = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || count === 0) return;
    const isAtEnd = element.scrollTop + element.clientHeight >= seenHeight.current - 80;
    if (isAtEnd) element.scrollTop = element.scrollHeight;
    seenHeight.current = element.scrollHeight;
  }, [count]);
  return scroller;
}
