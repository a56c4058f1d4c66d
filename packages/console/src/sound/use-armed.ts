import { useCallback, useEffect, useState } from 'react';
import { audioContext } from './audio.ts';

/** Whether the browser plays sounds. It plays none before the first click or key: that one arms the horn. */
export function useArmed(): { readonly isArmed: boolean; readonly arm: () => void } {
  const [isArmed, setIsArmed] = useState(() => audioContext()?.state === 'running');
  const arm = useCallback(() => void audioContext()?.resume(), []);
  useEffect(() => {
    const audio = audioContext();
    const onChange = () => setIsArmed(audio?.state === 'running');
    onChange();
    audio?.addEventListener('statechange', onChange);
    return () => audio?.removeEventListener('statechange', onChange);
  }, []);
  useEffect(() => {
    if (isArmed) return;
    addEventListener('pointerdown', arm);
    addEventListener('keydown', arm);
    return () => {
      removeEventListener('pointerdown', arm);
      removeEventListener('keydown', arm);
    };
  }, [arm, isArmed]);
  return { isArmed, arm };
}
