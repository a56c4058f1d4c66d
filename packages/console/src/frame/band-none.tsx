import { shownPriority } from '../alarms/alarm-row.ts';
import { useOccurrences } from '../services/queries.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

const dayMs = 86_400_000;

/** When the last alarm of priority 1 went: its fault was gone, or it was acknowledged, whichever came later. */
function lastOfPriorityOne(occurrences: ReturnType<typeof useOccurrences>): number | undefined {
  const ends = (occurrences ?? [])
    .filter(({ priority }) => shownPriority(priority) === 1)
    .map(({ ackTime, resetTime }) => Math.max(Date.parse(ackTime ?? ''), Date.parse(resetTime ?? '')))
    .filter((end) => !Number.isNaN(end));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** Since when no alarm of priority 1 is there, as far as the occurrences of the last day tell. */
export function NoneSince() {
  const words = useWords().bandSince;
  const time = useSiteTime();
  const now = useNow();
  const since = lastOfPriorityOne(useOccurrences(Math.floor(now / dayMs - 1) * dayMs));
  return since !== undefined && <span>{words(time.when(since, now))}</span>;
}
