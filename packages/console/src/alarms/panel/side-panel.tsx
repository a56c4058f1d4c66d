import { Link } from '@tanstack/react-router';
import { useGuidance } from '../../services/queries.ts';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { shortDuration } from '../../time/durations.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { type AlarmRow, titleOf } from '../alarm-row.ts';
import { Bar } from '../time-to-respond.tsx';
import { MiniTimeline } from './mini-timeline.tsx';

type Props = { readonly row: AlarmRow; readonly onClose: () => void };

/** The alarm that has the focus: what to do first, then what happened. */
export function SidePanel({ row, onClose }: Props) {
  const words = useWords();
  const now = useNow();
  const { alarm, priority, state, context } = row;
  return (
    <aside className="panel" aria-label={words.panel.label}>
      <div className="scroll" tabIndex={0} role="region" aria-label={titleOf(alarm)}>
        <section>
          <div className="lead">
            <AlarmSymbol priority={priority} state={state} size={28} />
            <span className="state">
              <b>{words.panel.state(words.priorities[priority], words.states[state])}</b>{' '}
              {words.panel.stateFor(shortDuration(now - row.since))}
            </span>
            <button
              type="button"
              className="btn sm icon ghost"
              aria-label={words.actions.closePanel}
              onClick={onClose}
            >
              <Icon name="x" />
            </button>
            <h2>{titleOf(alarm)}</h2>
          </div>
          {alarm.value !== '' && (
            <div className="facts">
              <b>{alarm.value}</b>
            </div>
          )}
          <div className="facts tag" dir="ltr">
            {alarm.fullPath} · {context?.station}
          </div>
        </section>
        <Respond row={row} />
        <Guidance alarmId={alarm.id} />
        <section>
          <h3>{words.panel.timeline}</h3>
          <MiniTimeline row={row} />
        </section>
      </div>
      <footer>
        <Link className="btn sm" to="/alarms/$id" params={{ id: String(alarm.id) }}>
          <span>{words.actions.openAlarm}</span>
          <kbd aria-hidden="true">↵</kbd>
        </Link>
      </footer>
    </aside>
  );
}

function Respond({ row }: { readonly row: AlarmRow }) {
  const words = useWords().respond;
  const now = useNow();
  if (row.dueAt === undefined) return null;
  const left = row.dueAt - now;
  const all = row.dueAt - row.raisedAt;
  return (
    <section className="bigttr">
      <span>{words.title}</span>
      <span>
        <b>{left >= 0 ? words.left(shortDuration(left)) : `+${shortDuration(-left)}`}</b>{' '}
        {words.of(shortDuration(all))}
      </span>
      <Bar percent={(100 * (all - left)) / all} />
    </section>
  );
}

function Guidance({ alarmId }: { readonly alarmId: number }) {
  const words = useWords().panel;
  const answer = useGuidance(alarmId);
  const guidance = answer?.guidance;
  return (
    <section>
      <h3>
        {words.doThis}
        {answer?.from && <small>{words.from(answer.from.name, answer.version ?? 1)}</small>}
      </h3>
      {!guidance && <p className="muted">{words.noGuidance}</p>}
      {guidance && (
        <>
          <ol className="steps">
            {guidance.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <dl className="kv">
            {guidance.cause !== '' && <dt>{words.cause}</dt>}
            {guidance.cause !== '' && <dd>{guidance.cause}</dd>}
            {guidance.consequence !== '' && <dt>{words.consequence}</dt>}
            {guidance.consequence !== '' && <dd>{guidance.consequence}</dd>}
          </dl>
        </>
      )}
    </section>
  );
}
