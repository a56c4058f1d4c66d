import { useEffect } from 'react';
import { useConsoleSettings } from '../services/console-settings.ts';
import { setLanguage } from '../words/use-words.ts';

/** Gives the page the language, row height and steadiness that the user has saved. */
export function useAppliedSettings(): void {
  const settings = useConsoleSettings();
  useEffect(() => {
    if (!settings) return;
    const { dataset, style } = document.documentElement;
    if (settings.steady) dataset['steady'] = '';
    else delete dataset['steady'];
    style.setProperty('--row-h', `${settings.density}px`);
  }, [settings]);
  const language = settings?.language ?? 'auto';
  useEffect(() => {
    // Without a saved language the one that was chosen at the sign-in stays.
    if (language !== 'auto') void setLanguage(language);
  }, [language]);
}
