import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { KeyHelp } from './key-help.tsx';
import { isTyped, keyOf } from './key-of.ts';
import { useSingleKeys } from './single-keys.tsx';

/** Pages by the letter that follows G. */
const places = {
  a: '/',
  o: '/areas',
  r: '/roster',
  s: '/shift',
  h: '/history',
  k: '/kpis',
  t: '/tags',
} as const;
const isPlace = (key: string | undefined): key is keyof typeof places => key !== undefined && key in places;

const secondKeyMs = 1_500;

/** Keys of all pages: `?` shows the keys, G and a letter lead to a page. They are not for text that is typed. */
export function FrameKeys() {
  const isSingle = useSingleKeys();
  const navigate = useNavigate();
  const [isHelp, setIsHelp] = useState(false);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const wait = () => {
      pending.current = setTimeout(() => {
        pending.current = undefined;
      }, secondKeyMs);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOf(event, isSingle);
      if (key === undefined || isTyped(event)) return;
      const isSecond = pending.current !== undefined;
      clearTimeout(pending.current);
      pending.current = undefined;
      if (isSecond && isPlace(key)) void navigate({ to: places[key], search: {} });
      else if (key === '?') setIsHelp(true);
      else if (key === 'g') wait();
      else return;
      // The list must not take the second key for one of its own.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isSingle, navigate]);
  return isHelp && <KeyHelp onClose={() => setIsHelp(false)} />;
}
