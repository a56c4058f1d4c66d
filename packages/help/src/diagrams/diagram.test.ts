import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { diagramFolder, diagramsIn, diagramThemes, pictureOf, readPicture, withPictures } from './diagram.ts';

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
const read = (path: string) => readFileSync(join(docs, path), 'utf8');

const text = `Before

\`\`\`mermaid
flowchart LR
  accTitle: One box
  accDescr: A pump sends "alarms" to <Tocsin>
  pump --> server
\`\`\`

After
`;

test('a diagram is named by its title, and says in words what it shows', () => {
  expect(diagramsIn(text)).toEqual([
    {
      name: 'one-box',
      description: 'A pump sends "alarms" to <Tocsin>',
      source: expect.stringContaining('pump --> server'),
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ]);
});

test('a diagram without a description is refused', () => {
  expect(() => diagramsIn(text.replace(/ +accDescr.*\n/, ''))).toThrow('accDescr');
});

test('a page shows the picture of its theme, with its description and size', () => {
  expect(withPictures(text, '/help', () => ({ width: 300, height: 200 }))).toBe(`Before

<div class="diagram" tabindex="0"><img class="dark:sl-hidden" src="/help/pictures/diagrams/one-box-light.svg" width="300" height="200" style="min-width:210px" loading="lazy" alt="A pump sends &quot;alarms&quot; to &lt;Tocsin&gt;"><img class="light:sl-hidden" src="/help/pictures/diagrams/one-box-dark.svg" width="300" height="200" style="min-width:210px" loading="lazy" alt="A pump sends &quot;alarms&quot; to &lt;Tocsin&gt;"></div>

After
`);
});

describe('the pictures of the documents', () => {
  const diagrams = globSync('**/*.md', { cwd: docs }).flatMap((path) => diagramsIn(read(path)));

  test('were drawn from the present sources: npm run diagrams', () => {
    expect(diagrams.length).toBeGreaterThan(6);
    for (const diagram of diagrams)
      for (const theme of diagramThemes)
        expect(readPicture(read(pictureOf(diagram, theme))).hash, pictureOf(diagram, theme)).toBe(
          diagram.hash,
        );
  });

  test('are there once for each diagram and theme', () => {
    const wanted = diagrams.flatMap((diagram) => diagramThemes.map((theme) => pictureOf(diagram, theme)));
    expect(globSync(`${diagramFolder}/*`, { cwd: docs }).toSorted()).toEqual(wanted.toSorted());
  });

  test('contain no style and no script, which the policy of the server would not apply', () => {
    for (const path of globSync(`${diagramFolder}/*`, { cwd: docs }))
      expect(read(path), path).not.toMatch(/<(style|script|foreignObject)|\sstyle=|\son\w+=|href=/);
  });
});
