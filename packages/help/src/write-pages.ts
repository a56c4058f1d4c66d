import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagram, type DiagramTheme, pictureOf, readPicture, withPictures } from './diagrams/diagram.ts';
import { fileOf, pageOf, sitePath } from './page.ts';
import { hasSamples, tabsImport, withTabs } from './sample-tabs.ts';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
const site = fileURLToPath(new URL('../site', import.meta.url));
const read = (path: string) => readFileSync(join(docs, path), 'utf8');

function sizeOfPicture(diagram: Diagram, theme: DiagramTheme) {
  const { hash, size } = readPicture(read(pictureOf(diagram, theme)));
  if (hash !== diagram.hash) throw new Error(`The picture of "${diagram.name}" is old: npm run diagrams`);
  return size;
}

/** Without a table of contents, and not found by the search. */
const missing = `---
title: "Page not found"
tableOfContents: false
pagefind: false
---
The documentation of this release has no page at this address. Look for it with the search above, or begin at the [start](/help/).
`;

/** Writes the pages from which the site is built. The documents of the project stay the only copy that people edit. */
function writePages(): void {
  const pages = join(site, 'content/docs');
  for (const folder of [pages, join(site, 'public')]) rmSync(folder, { recursive: true, force: true });
  const paths = new Set(globSync('**/*.md', { cwd: docs }));
  for (const path of paths) {
    const text = withPictures(read(path), sitePath, sizeOfPicture);
    const page = pageOf({ path, text: hasSamples(text) ? withTabs(text, read) : text }, paths);
    const file = join(pages, fileOf(path));
    mkdirSync(dirname(file), { recursive: true });
    // Only a page with components is MDX, in which a brace or a bracket of a text would mean something.
    if (hasSamples(text)) writeFileSync(`${file}x`, page.replace(/^---\n[^]*?\n---\n/, `$&${tabsImport}`));
    else writeFileSync(file, page);
  }
  writeFileSync(join(pages, '404.md'), missing);
  for (const folder of ['pictures', 'samples'])
    cpSync(join(docs, folder), join(site, 'public', folder), { recursive: true });
  cpSync(join(docs, '../packages/console/public/favicon.svg'), join(site, 'public/favicon.svg'));
}

writePages();
