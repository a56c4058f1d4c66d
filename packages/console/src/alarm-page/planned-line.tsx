import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { mediumName } from './describe-step.ts';
import type { PlannedCall } from './planned-calls.ts';

/** A call that is not made yet. */
function describePlanned(call: PlannedCall, words: Words): string {
  const { user, callGroup, role, attempt } = call;
  const medium = mediumName(call.medium, words);
  const again = attempt > 1 ? `, ${words.alarm.attempt(attempt)}` : '';
  const who = `${user}, ${medium}${again}`;
  if (role === 'relief') return words.alarm.relief(callGroup, who);
  return role === 'fallback' ? words.alarm.fallback(callGroup, who) : who;
}

type Props = { readonly call: PlannedCall /** From when the time is counted. */; readonly since: number };

export function PlannedLine({ call, since }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const text = describePlanned(call, words);
  return (
    <li className="plan">
      <time>{time.clock(call.at)}</time>
      <span className="pt">
        <Icon name="clock" size={14} />
      </span>
      <span className="tx" title={text}>
        {text}
      </span>
      <span className="rs">
        {words.alarm.in(shortDuration(call.at - since))}
        {!call.hasChannel && `, ${words.alarm.noChannel}`}
      </span>
    </li>
  );
}
