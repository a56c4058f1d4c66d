import { createHash } from 'node:crypto';

export const diagramThemes = ['light', 'dark'] as const;
export type DiagramTheme = (typeof diagramThemes)[number];

/** A diagram of a document, written in Mermaid. */
export type Diagram = {
  /** Made of its title, for the names of its pictures. */
  readonly name: string;
  /** The text for those who do not see the picture. */
  readonly description: string;
  readonly source: string;
  /** Tells whether a picture was drawn from this source. */
  readonly hash: string;
};

export type PictureSize = { readonly width: number; readonly height: number };

/** A picture is shown at this part of its size at least, so that its texts can be read; on a telephone it scrolls. */
const smallest = 0.7;

/** The folder of the pictures in `docs`. */
export const diagramFolder = 'pictures/diagrams';

const block = /^```mermaid\n([^]*?)^```$/gm;

export const pictureOf = ({ name }: Pick<Diagram, 'name'>, theme: DiagramTheme): string =>
  `${diagramFolder}/${name}-${theme}.svg`;

/** The diagrams of a document, in their order. Throws if one has no title or no description. */
export const diagramsIn = (text: string): Diagram[] =>
  [...text.matchAll(block)].map(([, source = '']) => diagramOf(source));

function diagramOf(source: string): Diagram {
  const [, title] = /^\s*accTitle: (.+)$/m.exec(source) ?? [];
  const [, description] = /^\s*accDescr: (.+)$/m.exec(source) ?? [];
  if (!title || !description)
    throw new Error(`A diagram needs a line "accTitle: …" and a line "accDescr: …":\n${source}`);
  return {
    name: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    description,
    source,
    hash: createHash('sha256').update(source).digest('hex').slice(0, 16),
  };
}

/** The document with pictures in place of its diagrams, of which the page shows the one of its theme. */
export function withPictures(
  text: string,
  address: string,
  sizeOf: (diagram: Diagram, theme: DiagramTheme) => PictureSize,
): string {
  return text.replaceAll(block, (_, source: string) => {
    const diagram = diagramOf(source);
    const images = diagramThemes.map((theme) => {
      const { width, height } = sizeOf(diagram, theme);
      const hidden = theme === 'light' ? 'dark:sl-hidden' : 'light:sl-hidden';
      const picture = `${address}/${pictureOf(diagram, theme)}`;
      return `<img class="${hidden}" src="${picture}" width="${width}" height="${height}" style="min-width:${Math.round(width * smallest)}px" loading="lazy" alt="${escaped(diagram.description)}">`;
    });
    return `<div class="diagram" tabindex="0">${images.join('')}</div>`;
  });
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What a picture says of itself: the source that it was drawn from, and its size. */
export function readPicture(svg: string): { hash: string; size: PictureSize } {
  const [, width, height] = /^<svg[^>]*? width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const [, hash] = /^<svg[^>]*? data-source="([0-9a-f]+)"/.exec(svg) ?? [];
  if (!width || !height || !hash) throw new Error('not a picture that `npm run diagrams` has written');
  return { hash, size: { width: Number(width), height: Number(height) } };
}
