import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  classesOf,
  colouredByClass,
  focusable,
  type MovedFiles,
  movable,
  moveInline,
  named,
  relativeTo,
} from './markup.ts';
import { missingPage, sitePath } from './page.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const write = (path: string, content: string | Buffer) => writeFileSync(join(dist, path), content);

/** Files of the search that the site does not load: other user interfaces, and stemming for unknown languages. */
const needless = [
  'pagefind/pagefind-*ui*',
  'pagefind/pagefind-highlight.js',
  'pagefind/wasm.unknown.pagefind',
];

/** Prepares the built pages for the server: nothing inline, relative addresses, compressed forms. */
function finishSite(): void {
  for (const path of globSync(needless, { cwd: dist })) rmSync(join(dist, path));
  finishPages();
  for (const path of globSync('_astro/*.js', { cwd: dist })) write(path, movable(read(path)));
  for (const path of globSync('_astro/ec.*.css', { cwd: dist })) write(path, colouredByClass(read(path)));
  compress();
  const bytes = globSync('**/*.*', { cwd: dist }).reduce(
    (sum, path) => sum + statSync(join(dist, path)).size,
    0,
  );
  console.log(
    `The site has ${globSync('**/*.html', { cwd: dist }).length} pages and ${bytes} bytes, compressed forms included.`,
  );
}

function finishPages(): void {
  const files: MovedFiles = new Map();
  const styles = new Map<string, string>();
  const pages = globSync('**/*.html', { cwd: dist });
  const moved = pages.map((path) => [path, moveInline(named(focusable(read(path))), files, styles)] as const);
  for (const [path, content] of files) write(path, content);
  const classes = classesOf(styles);
  const sheet = `_astro/attributes.${createHash('sha256').update(classes).digest('base64url').slice(0, 12)}.css`;
  write(sheet, classes);
  for (const [path, html] of moved) {
    const linked = html.replace('</head>', `<link rel="stylesheet" href="${sitePath}/${sheet}"></head>`);
    // It is shown at many addresses: the server adds its base path instead.
    write(path, path === missingPage ? linked : relativeTo(linked, path.split('/').length));
  }
}

/**
 * Compresses the files once, so that the server need not. The files of the search are compressed already. Brotli, which
 * browsers take over TLS only, would double the time of the build.
 */
function compress(): void {
  for (const path of globSync('**/*.{html,js,css,svg,json}', { cwd: dist })) {
    write(`${path}.gz`, gzipSync(readFileSync(join(dist, path)), { level: 9 }));
  }
}

finishSite();
