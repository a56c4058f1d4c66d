import type { TemplateMedium } from '@tocsin/contract';
import { cleanLine, cleanText } from '../port/plain-text.ts';

const maxSubjectLength = 200;

/**
 * Makes a text harmless for its medium. Speech engines interpret tags, so speech loses the characters of markup. E-mail escapes
 * its HTML when the page is written; here its text only loses control characters.
 */
export function cleanBody(medium: TemplateMedium, text: string): string {
  const clean = cleanText(text);
  return medium === 'Voice' ? clean.replace(/[<>&]/g, ' ').replace(/\s+/g, ' ') : clean;
}

/** One line, because a subject becomes a header. */
export function cleanSubject(text: string): string {
  return cleanLine(text, maxSubjectLength);
}
