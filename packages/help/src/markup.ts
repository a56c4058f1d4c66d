import { createHash } from 'node:crypto';
import { sitePath } from './page.ts';

/** A start tag with its attributes; quoted values may contain anything. */
const startTag = /<[a-z][\w-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*\/?>/gi;
const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([^]*?)<\/script>/g;
const inlineStyle = /<style[^>]*>([^]*?)<\/style>/g;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** Files that a page needs besides those of the build, by their path in the site. */
export type MovedFiles = Map<string, string>;

/**
 * Moves scripts and styles that are written into a page to files of their own, because the policy of the server runs
 * none in a page. Style attributes become classes; `styles` collects them for one file of the whole site.
 */
export function moveInline(html: string, files: MovedFiles, styles: Map<string, string>): string {
  const keep = (content: string, ending: string) => {
    const path = `_astro/inline.${hashOf(content)}.${ending}`;
    files.set(path, content);
    return `${sitePath}/${path}`;
  };
  return html
    .replaceAll(inlineScript, (_, attributes: string, content: string) =>
      content.trim() === '' ? '' : `<script${attributes} src="${keep(content, 'js')}"></script>`,
    )
    .replaceAll(inlineStyle, (_, content: string) => `<link rel="stylesheet" href="${keep(content, 'css')}">`)
    .replaceAll(startTag, (tag) => styleToClass(tag, styles));
}

const styleAttribute = /\sstyle=(?:"([^"]*)"|'([^']*)')/;

function styleToClass(tag: string, styles: Map<string, string>): string {
  const found = styleAttribute.exec(tag);
  if (!found) return tag;
  const rest = tag.replace(styleAttribute, '');
  const style = (found[1] ?? found[2] ?? '').replaceAll('&quot;', '"').replaceAll('&#39;', "'").trim();
  // Hides an element until a script removes the attribute; without the attribute it is shown at once.
  if (style === '' || /^display:\s*none;?$/.test(style)) return rest;
  const name = `st-${hashOf(style)}`;
  styles.set(name, style);
  return /\sclass="/.test(rest)
    ? rest.replace(/\sclass="/, ` class="${name} `)
    : rest.replace(/^<[a-z][\w-]*/i, (start) => `${start} class="${name}"`);
}

/** The styles of all attributes as one file. */
export const classesOf = (styles: ReadonlyMap<string, string>): string =>
  [...styles].map(([name, style]) => `.${name}{${style}}`).join('\n');

/**
 * Makes addresses of the server relative to a page, so that one build serves any base path. `depth` is the number of
 * folders from the server's root to the page.
 */
export function relativeTo(html: string, depth: number): string {
  const up = '../'.repeat(depth);
  return html.replaceAll(startTag, (tag) => tag.replaceAll(/(\s(?:href|src)=")\/(?!\/)/g, `$1${up}`));
}

/** Parts that scroll sideways need the focus, so that a keyboard can scroll them. */
export const focusable = (html: string): string =>
  html.replaceAll(/<(table|pre)(?=[ >])(?![^>]*tabindex)/g, '<$1 tabindex="0"');

/** Empty headers and the disabled checkboxes of task lists have no accessible name: they become cells, and signs that are not read out. */
export const named = (html: string): string =>
  html
    .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
    .replaceAll(
      /<input type="checkbox" (checked )?disabled>/g,
      (_, checked?: string) => `<span aria-hidden="true">${checked ? '☑' : '☐'}</span>`,
    );

/** The colours of code hang on the style attributes that have become classes. */
export const colouredByClass = (css: string): string =>
  css.replaceAll(/span\[style\^=["']?--["']?\]:not\(\[class\]\)/g, 'span[class^="st-"]');

/**
 * Blocks of code that scroll become regions without a name, one like the other: the focus alone is enough. The address of
 * the site is a text in the script of the search, which finds it by its own address instead.
 */
export const movable = (script: string): string =>
  script
    .replaceAll(/,\w+\.setAttribute\("role","region"\)/g, '')
    .replaceAll(/(["`])\/help\/([^"`]*)\1/g, '(new URL("../$2",import.meta.url).pathname)');
