import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder into which the console is built. */
export const builtConsole = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

/** The folder into which the documentation is built. */
export const builtHelp = fileURLToPath(new URL('../../../../help/dist', import.meta.url));

/** The encodings that a build may have made of a file, the best first, and the ends of their names. */
export const encodings = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof encodings;

/** A file that is served from memory. */
export type ServedFile = {
  readonly content: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  readonly contentType: string;
  /** Without quotes: each encoding has an entity tag of its own. */
  readonly hash: string;
};

/** A built console, in memory. */
export type ConsoleFiles = {
  /** The page that every path of the console answers. */
  readonly index: Buffer;
  /** The other files by their path without a slash at the start, such as `assets/index-4f2a.js`. */
  readonly files: ReadonlyMap<string, ServedFile>;
};

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  // The index of the search, in forms of its own.
  '.pagefind': 'application/octet-stream',
  '.pf_meta': 'application/octet-stream',
  '.pf_index': 'application/octet-stream',
  '.pf_fragment': 'application/octet-stream',
};

/**
 * Reads a built console, once: a path of a request is never a path of the disk. Files of other types, such as source
 * maps, are left out. Undefined if the folder holds no console.
 */
export function readConsole(folder: string, basePath: string): ConsoleFiles | undefined {
  const files = readFolder(folder);
  const index = files?.get('index.html');
  if (!files || !index) return undefined;
  files.delete('index.html');
  return { index: indexPage(index.content.toString(), basePath), files };
}

/** The files of a folder by their path in it; undefined if it has no `index.html`. */
export function readFolder(folder: string): Map<string, ServedFile> | undefined {
  if (!existsSync(`${folder}/index.html`)) return undefined;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1));
  const named = new Set(paths);
  const served = paths.filter((path) => extname(path) in contentTypes);
  return new Map(served.map((path) => [path, readFile(folder, path, named)]));
}

function readFile(folder: string, path: string, named: ReadonlySet<string>): ServedFile {
  const content = readFileSync(`${folder}/${path}`);
  const encoded: Partial<Record<Encoding, Buffer>> = {};
  for (const [encoding, ending] of Object.entries(encodings) as [Encoding, string][])
    if (named.has(path + ending)) encoded[encoding] = readFileSync(`${folder}/${path}${ending}`);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { content, encoded, contentType: contentTypes[extname(path)] ?? '', hash };
}

/**
 * The console is built with paths relative to its root. They become absolute here, because the same page answers
 * `/alarms/7`, and the policy of the page forbids a `<base>`.
 */
function indexPage(html: string, basePath: string): Buffer {
  const page = html
    .replaceAll(/(?<=\s(?:src|href)=")\.\//g, `${basePath}/`)
    .replace(/(?<=<meta name="base-path" content=")[^"]*/, `${basePath}/`);
  return Buffer.from(page);
}
