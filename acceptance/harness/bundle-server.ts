import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { serverMain } from './server-main.ts';

/** Modules find their files, such as migrations and workers, beside their source and not beside the bundle. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  enforce: 'pre',
  transform: (code, id) =>
    code.includes('import.meta.')
      ? code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.filename', JSON.stringify(id))
      : undefined,
};

/** Packages of hundreds of small modules. */
const bundled = [/^@tocsin\//, 'typebox', 'kysely', 'jose', 'semver', /^@simplewebauthn\//, /^@peculiar\//];

/**
 * Writes the server as one file, which starts in 60 % of the processor time of its 3,000 modules: a run starts hundreds of
 * servers. It lies where Node finds the packages of the server. Returns the name of the file, and what removes it.
 */
export async function bundleServer(): Promise<{ program: string; remove: () => Promise<void> }> {
  const folder = join(dirname(serverMain), '../node_modules', `.bundle-${randomUUID()}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [keepPlaces],
    ssr: { noExternal: bundled, resolve: { conditions: ['source'], externalConditions: ['source'] } },
    build: { ssr: serverMain, outDir: folder, target: 'node24', minify: false },
  });
  return { program: join(folder, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
