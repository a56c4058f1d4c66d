import type { Language } from '../words/use-words.ts';
import type { OwnCall } from './own-calls.ts';

/** What the phone shows when it is opened without a connection. */
export type Remembered = {
  readonly user: { readonly id: number; readonly name: string };
  readonly plant: string;
  readonly language: Language;
  readonly zone: string | undefined;
  readonly calls: readonly OwnCall[];
  /** Milliseconds since 1970: when the server was last heard. */
  readonly at: number;
};

const key = 'tocsin-phone';

export function readRemembered(): Remembered | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Remembered);
  } catch {
    return undefined;
  }
}

export function remember(state: Remembered): void {
  localStorage.setItem(key, JSON.stringify(state));
}

/** The next user of this phone must not see the calls of the last one. */
export const forget = (): void => localStorage.removeItem(key);

/** Whether an address belongs to the page for telephones. */
export const isPhonePath = (path: string, basePath: string): boolean =>
  path === `${basePath}/m` || path.startsWith(`${basePath}/m/`);
