import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { useMeta } from '../../services/queries.ts';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import type { DialogProps } from './dialog-props.ts';
import { Failure } from './failure.tsx';

const minuteChoices = [10, 20, 30, 60, 480];

/** Asks how long and why, and says what a mask stops and what it does not. */
export function MaskDialog({ rows, actions, onClose }: DialogProps) {
  const all = useWords();
  const words = all.mask;
  const time = useSiteTime();
  const now = useNow();
  const [minutes, setMinutes] = useState(20);
  const [reason, setReason] = useState('');
  const [first] = rows;
  if (!first) return null;
  const submit = async () => {
    if (reason.trim() === '') return;
    if (
      await actions.mask(
        rows.map(({ alarm }) => alarm.id),
        reason.trim(),
        minutes * 60,
      )
    )
      onClose();
  };
  const title = rows.length === 1 ? words.title(first.alarm.message) : words.titleMany(rows.length);
  return (
    <Dialog
      title={
        <>
          <AlarmSymbol priority={first.priority} state="ack" size={24} named={false} />
          <span>{title}</span>
        </>
      }
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Effects />
      <Duration minutes={minutes} onChange={setMinutes} />
      <Reason text={reason} onChange={setReason} />
      <p className="res">
        <AlarmSymbol priority={first.priority} state="mask" size={20} named={false} />
        <span>{words.ends(time.until(now + minutes * 60_000, now))}</span>
      </p>
      <Failure actions={actions} />
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button
          label={words.go(words.minutes(minutes))}
          kind="primary"
          type="submit"
          disabled={reason.trim() === ''}
        />
      </div>
    </Dialog>
  );
}

function Effects() {
  const words = useWords().mask;
  return (
    <div className="stops">
      <div>
        <h3>{words.stops}</h3>
        <ul>
          <li>
            <Icon name="check" size={14} />
            <span>{words.stopsCalls}</span>
          </li>
        </ul>
      </div>
      <div>
        <h3>{words.stopsNot}</h3>
        <ul>
          <li>
            <Icon name="x" size={14} />
            <span>{words.stopsNotFault}</span>
          </li>
          <li>
            <Icon name="x" size={14} />
            <span>{words.stopsNotRecord}</span>
          </li>
        </ul>
      </div>
    </div>
  );
}

function Duration({
  minutes,
  onChange,
}: {
  readonly minutes: number;
  readonly onChange: (minutes: number) => void;
}) {
  const words = useWords().mask;
  const largest = useMeta()?.limits.maskSeconds ?? 28_800;
  return (
    <div className="fld">
      <span>{words.howLong}</span>
      <span className="seg fit" role="group" aria-label={words.howLong}>
        {minuteChoices
          .filter((choice) => choice * 60 <= largest)
          .map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === minutes}
              onClick={() => onChange(choice)}
            >
              {words.minutes(choice)}
            </button>
          ))}
      </span>
    </div>
  );
}

function Reason({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const words = useWords().mask;
  return (
    <label className="fld">
      <span>
        <span>{words.reason}</span> <em>{words.reasonHint}</em>
      </span>
      <span className="input tall">
        <input data-first value={text} maxLength={4_096} onChange={({ target }) => onChange(target.value)} />
      </span>
    </label>
  );
}
