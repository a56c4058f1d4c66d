import { useCallback, useEffect, useRef, useState } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useLive } from '../services/use-live.ts';
import { currentTime } from '../time/current-time.ts';
import { useWords } from '../words/use-words.ts';
import { announcementOf, type Raises, raisedSince, raisesOf } from './announcement.ts';

/** A screen reader needs some seconds for a sentence, and must not be interrupted by the next one. */
const pauseMs = 5_000;
/** In a storm the list changes twenty times a second, and comparing all of it each time would slow the page down. */
const gatherMs = 500;

/** A sentence about the alarms that came since the last one. */
function useAnnouncement(): string {
  const words = useWords();
  const { rows } = useAlarms();
  const { connection } = useLive();
  const [text, setText] = useState('');
  const latest = useRef({ rows, words });
  latest.current = { rows, words };
  const told = useRef<Raises>(undefined);
  const spokenAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const look = useCallback(() => {
    timer.current = undefined;
    const present = latest.current;
    const fresh = raisedSince(told.current ?? new Map(), present.rows);
    if (fresh.length === 0) return;
    told.current = raisesOf(present.rows);
    spokenAt.current = currentTime();
    setText(announcementOf(fresh, present.words));
  }, []);
  useEffect(() => {
    if (connection === 'connecting') return;
    // What was there at the sign-in is on the screen, and is no news.
    if (told.current === undefined) told.current = raisesOf(rows);
    else timer.current ??= setTimeout(look, Math.max(gatherMs, spokenAt.current + pauseMs - currentTime()));
  }, [rows, connection, look]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return text;
}

/** Tells screen readers of new alarms: one sentence for all that came meanwhile, never one per row. */
export const Announcer = () => (
  <div className="vh" role="log" aria-live="polite" aria-atomic="true" data-announcer="">
    {useAnnouncement()}
  </div>
);
