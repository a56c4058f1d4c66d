import type { UserReachability } from '@tocsin/contract';
import { useWords } from '../../words/use-words.ts';
import { useReachability } from './reach-queries.ts';

type Reached = UserReachability['reached'];

const marks: Record<Reached, string> = { all: 'm-good', part: 'm-part', none: 'm-bad', untested: 'm-off' };

/** Whether a person can be reached, as the last tests have shown. */
export function ReachedCell({ userId }: { readonly userId: number }) {
  const words = useWords().configurePeople;
  const reach = useReachability()?.get(userId);
  if (!reach) return null;
  const isCallable = reach.media.length > 0;
  return (
    <span className={`mk ${isCallable ? marks[reach.reached] : 'm-off'}`}>
      <i />
      <span>{isCallable ? words.reachedWords[reach.reached] : words.cannotBeCalled}</span>
    </span>
  );
}

/** How many people can be reached, in part or not at all. */
export function PeopleSummary() {
  const words = useWords().configurePeople;
  const all = [...(useReachability()?.values() ?? [])].filter(({ media }) => media.length > 0);
  const count = (wanted: Reached) => String(all.filter(({ reached }) => reached === wanted).length);
  if (all.length === 0) return null;
  return (
    <p className="muted">
      {words.summary(String(all.length))} {words.summaryOf(count('all'), count('part'), count('none'))}
    </p>
  );
}
