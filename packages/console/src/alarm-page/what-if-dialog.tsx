import { useContext, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { currentTime } from '../time/current-time.ts';
import { ZoneContext } from '../time/site-time.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { usePreview } from './alarm-queries.ts';
import { planned } from './planned-calls.ts';
import { PlannedLine } from './planned-line.tsx';
import { siteWeekday, type Weekday, weekdays, whatIfTime } from './what-if-time.ts';

type Props = { readonly alarmId: number; readonly onClose: () => void };

const sunday = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;

/** Rehearses the alarm at another time: who would be called, in which order. Nobody is called. */
export function WhatIfDialog({ alarmId, onClose }: Props) {
  const all = useWords();
  const words = all.whatIf;
  const language = useLanguage();
  const zone = useContext(ZoneContext);
  const [openedAt] = useState(currentTime);
  const [weekday, setWeekday] = useState<Weekday>(() => siteWeekday(openedAt, zone));
  const [time, setTime] = useState('03:00');
  const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return (
    <Dialog
      title={
        <>
          <Icon name="route" size={20} />
          <span>{words.title}</span>
        </>
      }
      onClose={onClose}
      onSubmit={onClose}
    >
      <p>{words.lead}</p>
      <div className="whatif">
        <label className="fld">
          <span>{words.day}</span>
          <span className="input tall">
            <select
              data-first
              value={weekday}
              onChange={({ target }) => setWeekday(Number(target.value) as Weekday)}
            >
              {weekdays.map((day) => (
                <option key={day} value={day}>
                  {dayName.format(sunday + day * dayMs)}
                </option>
              ))}
            </select>
          </span>
        </label>
        <label className="fld">
          <span>{words.time}</span>
          <span className="input tall">
            <input type="time" value={time} required onChange={({ target }) => setTime(target.value)} />
          </span>
        </label>
      </div>
      <Ladder alarmId={alarmId} at={time === '' ? undefined : whatIfTime(weekday, time, openedAt, zone)} />
      <div className="dlgact">
        <small>{words.nobodyCalled}</small>
        <Button label={all.keys.close} hint="Esc" onClick={onClose} />
      </div>
    </Dialog>
  );
}

function Ladder({ alarmId, at }: { readonly alarmId: number; readonly at: string | undefined }) {
  const words = useWords().whatIf;
  const preview = usePreview(alarmId, { at });
  const calls = planned(preview?.calls ?? []);
  const [first] = calls;
  if (!preview) return null;
  return (
    <>
      {preview.reason !== '' && <p role="status">{words.reason(preview.reason)}</p>}
      {first && (
        <div className="ladderbox" role="region" tabIndex={0} aria-label={words.ladder}>
          <ol className="timeline">
            {calls.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same person may be called again at the same second.
              <PlannedLine key={index} call={call} since={first.at} />
            ))}
          </ol>
        </div>
      )}
    </>
  );
}
