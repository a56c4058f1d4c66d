import { readFileSync } from 'node:fs';
import { wrongUsage } from './command-error.ts';

/** The text of a file without the line break at its end. `source` names the option or member that names the file. */
export function readSecretFile(path: string, source: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw wrongUsage(`${source}: the file ${path} cannot be read (${code}).`);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw wrongUsage(`${source}: the file ${path} is empty.`);
  return secret;
}
