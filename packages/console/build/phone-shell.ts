import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { drawIcons } from './icons.ts';

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>>[1];
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

const workerName = 'sw.js';
const placeholder = 'builtShell';
/** Modules of the page that are loaded when they are needed: its parts, and the words of each language. */
const parts = [
  ...['phone-frame', 'call-tab', 'alarms-tab', 'duty-tab', 'sent-tab'].map(
    (name) => `/src/phone/${name}.tsx`,
  ),
  ...['fr', 'de', 'es'].map((language) => `/src/words/${language}.ts`),
];

/** Tells the service worker which files the page for telephones needs, and adds the icons of that page. */
export function phoneShell(): Plugin {
  return {
    name: 'phone-shell',
    generateBundle(_options, bundle) {
      for (const { name: fileName, content } of drawIcons())
        this.emitFile({ type: 'asset', fileName, source: content });
      const worker = bundle[workerName];
      if (worker?.type !== 'chunk') throw new Error('the build has no service worker');
      if (!worker.code.includes(placeholder))
        throw new Error('the service worker has no place for its files');
      const files = [...filesOf(bundle), 'icons/icon-192.png', 'icons/badge-96.png'];
      const version = createHash('sha256').update(files.join('\n')).digest('base64url').slice(0, 16);
      const shell = JSON.stringify({ version, files });
      worker.code = `const ${placeholder}=${shell};\n${worker.code}`;
    },
  };
}

/** The scripts that the page loads, with their styles, fonts and pictures. */
function filesOf(bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk');
  const starts = chunks.filter(
    ({ isEntry, fileName, moduleIds }) =>
      (isEntry && fileName !== workerName) || parts.some((part) => moduleIds.some((id) => id.endsWith(part))),
  );
  const found = new Set<string>();
  const visit = (fileName: string) => {
    const chunk = chunks.find((one) => one.fileName === fileName);
    if (!chunk || found.has(fileName)) return;
    found.add(fileName);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const { fileName } of starts) visit(fileName);
  const missing = parts.filter(
    (part) => !chunks.some((one) => one.moduleIds.some((id) => id.endsWith(part))),
  );
  if (missing.length > 0) throw new Error(`the build has no ${missing.join(', ')}`);
  const others = Object.keys(bundle).filter((name) => /\.(css|woff2|svg)$/.test(name));
  return [...found, ...others].toSorted();
}
