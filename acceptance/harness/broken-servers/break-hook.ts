/**
 * Loaded with `--import` into a server that is to be broken: patches its source files while they are loaded.
 */
import { registerHooks } from 'node:module';
import { applyPatches, type SourcePatch } from './source-patch.ts';

const patches = JSON.parse(process.env['TOCSIN_TEST_BREAK'] ?? '[]') as SourcePatch[];

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const here = patches.filter(({ file }) => url.endsWith(`/packages/${file}`));
    if (here.length === 0 || loaded.source === undefined || loaded.source === null) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: applyPatches(source, here) };
  },
});
