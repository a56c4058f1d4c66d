import { posix } from 'node:path';

/** The place of the site below that of the server. */
export const sitePath = '/help';

/** The page for addresses that do not exist, which the server answers at any depth below the place of the site. */
export const missingPage = '404.html';

/** Files of the project that a reader of the site finds at the server, or on another page. */
const elsewhere: Readonly<Record<string, string>> = {
  'openapi.json': '/docs',
  '../README.md': `${sitePath}/install/`,
};

/** A document of the project by its path in `docs`, such as `decisions/0001-….md`. */
export type Document = { readonly path: string; readonly text: string };

/** The address of a document, with a slash at the end. */
export function addressOf(path: string): string {
  const name = path.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1');
  return `${sitePath}/${name === '' || name.endsWith('/') ? name : `${name}/`}`;
}

/** The file from which the site builds a document: an overview is the index of its folder. */
export const fileOf = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md');

/**
 * Where a link of a document leads on the site; undefined if its target is not there. Pictures and samples are found
 * below the address of the site by the path that they have in `docs`.
 */
export function targetOf(from: string, link: string, paths: ReadonlySet<string>): string | undefined {
  if (/^[a-z]+:|^#/.test(link)) return link;
  const [file = '', anchor] = link.split('#');
  const path = posix.normalize(posix.join(posix.dirname(from), file));
  if (paths.has(path)) return `${addressOf(path)}${anchor === undefined ? '' : `#${anchor}`}`;
  if (/^(pictures|samples)\//.test(path)) return `${sitePath}/${path}`;
  return elsewhere[path];
}

const fence = /^```[^]*?^```$/gm;

/** Applies a change to the text between the blocks of code. */
function outsideCode(text: string, change: (part: string) => string): string {
  let last = 0;
  let changed = '';
  for (const { index, 0: code } of text.matchAll(fence)) {
    changed += change(text.slice(last, index)) + code;
    last = index + code.length;
  }
  return changed + change(text.slice(last));
}

/** The page of a document: its heading becomes the title, and links lead to pages. Links to other files become text. */
export function pageOf({ path, text }: Document, paths: ReadonlySet<string>): string {
  const [, title = path, body = text] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  const linked = outsideCode(body, (part) =>
    part.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, mark: string, label: string, link: string) => {
      const target = targetOf(path, link, paths);
      return target === undefined ? label : `${mark}[${label}](${target})`;
    }),
  );
  return `---\ntitle: ${JSON.stringify(title.replaceAll('`', ''))}\n---\n${linked}`;
}
