import { type Browser, chromium, type Page } from 'playwright-core';
import { sampleOf } from '../sample.ts';

export type { Browser, Page };

/**
 * Chromium of Debian without its windows, which takes half of the processor time: the full browser draws a toolbar for each
 * page, even if nobody sees it. It asks nobody for updates.
 */
export const executablePath = '/usr/bin/chromium-headless-shell';
const fullPath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

/** Only the full browser has notifications and web push. */
export const launch = ({ full = false } = {}): Promise<Browser> =>
  chromium.launch({ executablePath: full ? fullPath : executablePath, args });

export const sizes = {
  desk: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
};
export type Size = keyof typeof sizes;
export type Theme = 'light' | 'dark';
/** Takes no pictures and one theme, which `SAMPLE_SEED` chooses: for the run of each change. */
export const isQuick = process.env['QUICK_CONSOLE'] === '1';
const allThemes: readonly Theme[] = ['light', 'dark'];
/** The themes in which tests repeat themselves. */
export const themes = isQuick ? sampleOf(allThemes, 1) : allThemes;
