import type { Unsubscribe } from '../common/listeners.ts';

const eventNames = ['online', 'pageshow', 'visibilitychange'] as const;

/** Calls back when the page has become visible or the machine has a network again. Outside browsers nothing happens. */
export function onPageReturn(callback: () => void): Unsubscribe {
  const { document, addEventListener } = globalThis;
  if (typeof document !== 'object' || typeof addEventListener !== 'function') return () => {};
  const listener = () => {
    if (document.visibilityState === 'visible') callback();
  };
  // Events of the document bubble up to the window.
  for (const name of eventNames) globalThis.addEventListener(name, listener);
  return () => {
    for (const name of eventNames) globalThis.removeEventListener(name, listener);
  };
}

/** Whether nobody can see the page. Browsers run its timers once a minute then. Outside browsers nothing is hidden. */
export const isPageHidden = (): boolean =>
  typeof document === 'object' && document.visibilityState === 'hidden';
