import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder into which the console is built. */
export const builtConsole = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

/** The encodings that a build may have made of a file, the best first, and the ends of their names. */
export const encodings = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof encodings;

export type ConsoleFile = {
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
  readonly files: ReadonlyMap<string, ConsoleFile>;
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
};

/**
 * Reads a built console, once: a path of a request is never a path of the disk. Files of other types, such as source
 * maps, are left out. Undefined if the folder holds no console.
 */
export function readConsole(folder: string, basePath: string): ConsoleFiles | undefined {
  if (!existsSync(`${folder}/index.html`)) return undefined;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1));
  const named = new Set(paths);
  const served = paths.filter((path) => path !== 'index.html' && extname(path) in contentTypes);
  const files = new Map(served.map((path) => [path, readFile(folder, path, named)]));
  return { index: indexPage(readFileSync(`${folder}/index.html`, 'utf8'), basePath), files };
}

function readFile(folder: string, path: string, named: ReadonlySet<string>): ConsoleFile {
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
