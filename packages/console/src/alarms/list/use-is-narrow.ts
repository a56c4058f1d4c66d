import { useSyncExternalStore } from 'react';

/** As in the style sheet `narrow.css`. */
const query = '(max-width: 700px)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the screen is that of a phone, where rows are cards. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches);
