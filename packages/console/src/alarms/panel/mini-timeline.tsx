import type { TimelineEntry } from '@tocsin/contract';
import { useTimeline } from '../../services/queries.ts';
import { useLive } from '../../services/use-live.ts';
import { Icon } from '../../symbols/icon.tsx';
import type { IconName } from '../../symbols/icon-names.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords, type Words } from '../../words/use-words.ts';
import type { AlarmRow } from '../alarm-row.ts';

const icons: Record<string, IconName> = {
  raised: 'activity',
  repeated: 'activity',
  acknowledged: 'check',
  reset: 'undo-2',
  masked: 'eye-off',
  unmasked: 'eye-off',
  commented: 'message-square',
};

/** One line of the timeline: what happened, and what came of it. */
function describeEntry(entry: TimelineEntry, words: Words): { what: string; outcome: string } {
  const { call, actor, detail } = entry;
  if (call) {
    const medium = words.media[call.medium as keyof typeof words.media] ?? call.medium;
    return { what: `${call.user}, ${medium}`, outcome: entry.kind };
  }
  const name = words.timeline[entry.kind as keyof Words['timeline']];
  const what = typeof name === 'string' ? name : entry.kind;
  if (entry.kind === 'commented') return { what: `${actor}: ${detail}`, outcome: '' };
  return { what: actor === '' ? what : words.timeline.by(what, actor), outcome: detail };
}

/** The latest entries of the timeline of an alarm, the newest last. */
export function MiniTimeline({ row }: { readonly row: AlarmRow }) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const { calls, attempts } = useLive();
  // Changes of calls are not changes of the alarm, so the number of attempts is part of what is read anew.
  const seen = [...attempts.values()].reduce((sum, { heardAt }) => Math.max(sum, heardAt), 0) + calls.size;
  const entries = useTimeline(row.alarm.id, row.since + seen)
    .slice(0, 12)
    .toReversed();
  return (
    <ol className="mini">
      {entries.map((entry) => {
        const { what, outcome } = describeEntry(entry, words);
        return (
          <li key={`${entry.seq} ${entry.time} ${entry.kind} ${entry.call?.attemptId ?? ''}`}>
            <time>{time.when(Date.parse(entry.time), now)}</time>
            <Icon name={icons[entry.kind] ?? (entry.call ? 'phone' : 'clock')} size={13} />
            <span>{what}</span>
            {outcome !== '' && <span>{outcome}</span>}
          </li>
        );
      })}
    </ol>
  );
}
