import { useEffect, useRef, useState } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useLive } from '../services/use-live.ts';
import { currentTime } from '../time/current-time.ts';
import { useWords } from '../words/use-words.ts';
import { announcementOf, keyOfRaise } from './announcement.ts';

/** A screen reader needs some seconds for a sentence, and must not be interrupted by the next one. */
const pauseMs = 5_000;

/** Tells screen readers of new alarms: one sentence for all that came meanwhile, never one per row. */
export function Announcer() {
  const words = useWords();
  const { rows } = useAlarms();
  const { connection } = useLive();
  const [text, setText] = useState('');
  const told = useRef<ReadonlySet<string>>(undefined);
  const spokenAt = useRef(0);
  useEffect(() => {
    if (connection === 'connecting') return;
    const keys = new Set(rows.map(keyOfRaise));
    const before = told.current;
    // What was there at the sign-in is on the screen, and is no news.
    if (before === undefined) {
      told.current = keys;
      return;
    }
    const fresh = rows.filter((row) => row.state === 'new' && !before.has(keyOfRaise(row)));
    if (fresh.length === 0) return;
    const speak = () => {
      told.current = keys;
      spokenAt.current = currentTime();
      setText(announcementOf(fresh, words));
    };
    const timer = setTimeout(speak, Math.max(0, spokenAt.current + pauseMs - currentTime()));
    return () => clearTimeout(timer);
  }, [rows, connection, words]);
  return (
    <div className="vh" role="log" aria-live="polite" aria-atomic="true" data-announcer="">
      {text}
    </div>
  );
}
