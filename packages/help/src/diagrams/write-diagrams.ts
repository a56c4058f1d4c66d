/**
 * `npm run diagrams`
 *
 * Draws the Mermaid diagrams of the documents in Chromium, for the light and the dark theme, and writes the pictures to
 * docs/pictures/diagrams. They are committed, so that a build of the documentation needs no browser.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import {
  type Diagram,
  type DiagramTheme,
  diagramFolder,
  diagramsIn,
  diagramThemes,
  pictureOf,
} from './diagram.ts';
import { pictureText, properties, removeStyles, writeStyles } from './flatten-picture.ts';
import { settingsOf } from './mermaid-settings.ts';

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
const mermaidFile = fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.min.js'));
const executablePath = '/usr/bin/chromium-headless-shell';

async function draw(page: Page, diagram: Diagram, theme: DiagramTheme): Promise<string> {
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ path: mermaidFile });
  await page.evaluate(
    async ({ source, settings }) => {
      const { mermaid } = globalThis as unknown as {
        mermaid: {
          initialize(settings: object): void;
          render(id: string, source: string): Promise<{ svg: string }>;
        };
      };
      mermaid.initialize(settings);
      const { svg } = await mermaid.render('diagram', source);
      document.body.innerHTML = svg;
    },
    // Labels of SVG know no bold text.
    { source: diagram.source.replaceAll(/<\/?b>/g, ''), settings: settingsOf(theme) },
  );
  const svg = page.locator('svg').first();
  await svg.evaluate(writeStyles, properties);
  await svg.evaluate(removeStyles, properties);
  return svg.evaluate(pictureText, diagram.hash);
}

const diagrams = globSync('**/*.md', { cwd: docs }).flatMap((path) =>
  diagramsIn(readFileSync(join(docs, path), 'utf8')),
);
mkdirSync(join(docs, diagramFolder), { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ offline: true });
for (const diagram of diagrams) {
  for (const theme of diagramThemes)
    writeFileSync(join(docs, pictureOf(diagram, theme)), await draw(page, diagram, theme));
  console.log(diagram.name);
}
await browser.close();
const drawn = new Set(diagrams.flatMap((diagram) => diagramThemes.map((theme) => pictureOf(diagram, theme))));
for (const path of globSync(`${diagramFolder}/*`, { cwd: docs }))
  if (!drawn.has(path)) rmSync(join(docs, path));
