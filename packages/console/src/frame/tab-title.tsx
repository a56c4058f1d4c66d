import { useEffect } from 'react';
import { isWaiting } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { markPath } from '../symbols/mark-path.ts';

const fills = { 1: '#b3001b', 2: '#e8590c', 3: '#ffd43b', 4: '#5f3dc4' } as const;
const inks = { 1: '#fff', 2: '#1b1d1f', 3: '#1b1d1f', 4: '#fff' } as const;

function countIcon(priority: keyof typeof fills, count: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#777" fill-rule="evenodd" d="${markPath}"/><rect x="11" y="11" width="21" height="21" fill="${fills[priority]}" stroke="#fff" stroke-width="2"/><text x="21.5" y="28" font-family="sans-serif" font-weight="700" font-size="18" text-anchor="middle" fill="${inks[priority]}">${Math.min(count, 9)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The title and the icon of the tab say the highest priority that waits, and how many of it. */
export function TabTitle() {
  const { rows } = useAlarms();
  const waiting = rows.filter(isWaiting);
  const first = waiting[0];
  const count = first ? waiting.filter(({ priority }) => priority === first.priority).length : 0;
  const title = first ? `(${count}) P${first.priority} ${first.alarm.message} · Tocsin` : 'Tocsin';
  const href = first ? countIcon(first.priority, count) : './favicon.svg';
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', href);
  }, [href]);
  return null;
}
