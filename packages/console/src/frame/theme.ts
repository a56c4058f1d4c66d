import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
const key = 'tocsin-theme';
const listeners = new Set<() => void>();

/** The theme belongs to the workstation, not to the person: a lit room stays lit. */
export function storedTheme(): Theme {
  return localStorage.getItem(key) === 'dark' ? 'dark' : 'light';
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  localStorage.setItem(key, theme);
  for (const listener of listeners) listener();
}

export const toggleTheme = (): void => applyTheme(storedTheme() === 'dark' ? 'light' : 'dark');

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedTheme);
