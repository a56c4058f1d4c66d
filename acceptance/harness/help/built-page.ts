import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const site = new URL('../../../packages/help/dist/', import.meta.url);

/** A page of the built documentation, by the name of its document. */
function builtPage(name: string): Document {
  return new JSDOM(readFileSync(new URL(`${name}/index.html`, site))).window.document;
}

/** The blocks of code of a language, as a reader copies them. */
function blocksOf(page: Document, language: string): string[] {
  return [...page.querySelectorAll(`main pre[data-language="${language}"]`)].map((block) =>
    [...block.querySelectorAll('.ec-line')]
      .map((line) => (line.textContent ?? '').replace(/\n$/, ''))
      .join('\n'),
  );
}

/** The commands of a tutorial, in their order. */
export const commandsOf = (name: string): string => `${blocksOf(builtPage(name), 'sh').join('\n')}\n`;

/** The settings that a tutorial asks for. */
export function settingsOf(name: string): Record<string, string> {
  const lines = blocksOf(builtPage(name), 'ini').flatMap((block) => block.split('\n'));
  return Object.fromEntries(
    lines.map((line) => {
      const [setting = '', ...value] = line.split('=');
      return [setting, value.join('=')];
    }),
  );
}
