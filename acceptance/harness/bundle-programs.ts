import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { commandLineMain, serverMain } from './main-files.ts';

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

export type Bundle = {
  /** The main file of the server. */
  readonly server: string;
  /** The main file of the command line. */
  readonly commandLine: string;
  remove(): Promise<void>;
};

/**
 * Writes the server and the command line with all their packages as a few files, which start in half of the processor time
 * of their 3,000 modules: a run starts hundreds of them.
 */
export async function bundlePrograms(): Promise<Bundle> {
  const folder = join(dirname(serverMain), '../node_modules', `.bundle-${randomUUID()}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [keepPlaces],
    // The client of SignalR requires its packages by names that a bundler cannot see.
    ssr: {
      noExternal: true,
      external: ['@microsoft/signalr'],
      resolve: { conditions: ['source'], externalConditions: ['source'] },
    },
    build: {
      ssr: true,
      rolldownOptions: { input: { server: serverMain, tocsin: commandLineMain } },
      outDir: folder,
      target: 'node24',
      minify: false,
    },
  });
  // Otherwise Node reads each file to find out that it is a module.
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    server: join(folder, 'server.js'),
    commandLine: join(folder, 'tocsin.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
