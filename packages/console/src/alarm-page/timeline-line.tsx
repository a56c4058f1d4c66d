import { useLive } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { describeAddress, describeEvent, describeOutcome, entryIcon, mediumIcon } from './describe-step.ts';
import type { TimelineStep } from './timeline-steps.ts';

type Props = { readonly step: TimelineStep; readonly groups: ReadonlyMap<number, string> };
type Attempt = Extract<TimelineStep, { kind: 'attempt' }>;

export function TimelineLine({ step, groups }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const at = <time>{time.when(step.at, now)}</time>;
  if (step.kind === 'attempt')
    return (
      <li className={step.isLive ? 'at now' : 'at'}>
        {at}
        <span className="pt">
          <Icon
            name={step.isLive && step.call.medium === 'Voice' ? 'phone-call' : mediumIcon(step.call.medium)}
            size={14}
          />
        </span>
        <span className="tx">{describeAddress(step.call, words)}</span>
        <span className="rs">
          {step.isLive ? <Running step={step} /> : describeOutcome(step.call, step.at, words)}
        </span>
      </li>
    );
  if (step.kind === 'person')
    return (
      <li className="stp">
        {at}
        <span className="pt" />
        <span className="tx">
          <b>{step.user}</b> {groups.get(step.callGroupId)}
        </span>
        <span className="rs">{words.alarm.step(step.number)}</span>
      </li>
    );
  const { bold, rest, result } = describeEvent(step.entry, words);
  return (
    <li className="ev">
      {at}
      <span className="pt">
        <Icon name={entryIcon(step.entry)} size={14} />
      </span>
      <span className="tx" title={`${bold} ${rest}`.trim()}>
        {bold !== '' && <b>{bold}</b>} {rest}
      </span>
      <span className="rs">{result}</span>
    </li>
  );
}

/** An attempt that runs, counting. */
function Running({ step: { call, at } }: { readonly step: Attempt }) {
  const words = useWords();
  const now = useNow();
  const latest = [...useLive().attempts.values()].find(({ attempt }) => attempt.attemptId === call.attemptId);
  if (call.status === 'Queued') return words.called.waits;
  const lasted = shortDuration(now - (latest?.heardAt ?? at));
  if (latest?.kind === 'ringing') return words.called.ringing(lasted);
  if (latest?.kind === 'answered') return words.called.listening(lasted);
  return `${words.alarm.statuses[call.status]} ${lasted}`;
}
