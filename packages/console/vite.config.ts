import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { phoneShell } from './build/phone-shell.ts';

/** The most JavaScript that the list may load, compressed. */
const firstLoadBytes = 260_000;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = here('dist');

/** Compresses the files once, so that the server need not, and fails if the first page has become too large. */
function compressAndWeigh(): Plugin {
  return {
    name: 'compress-and-weigh',
    closeBundle() {
      const compressible = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.(js|css|svg|json|webmanifest)$/.test(file),
      );
      for (const file of compressible) {
        const content = readFileSync(join(dist, file));
        writeFileSync(join(dist, `${file}.gz`), gzipSync(content, { level: 9 }));
        writeFileSync(join(dist, `${file}.br`), brotliCompressSync(content));
      }
      const page = readFileSync(join(dist, 'index.html'), 'utf8');
      const scripts = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, file = '']) => file);
      const bytes = scripts.reduce((sum, file) => sum + readFileSync(join(dist, `${file}.gz`)).length, 0);
      if (scripts.length === 0) throw new Error('index.html names no script');
      if (bytes > firstLoadBytes)
        throw new Error(`The list loads ${bytes} bytes, more than ${firstLoadBytes}`);
      console.log(`The list loads ${bytes} bytes of JavaScript, compressed.`);
    },
  };
}

/** The console as static files, which the server serves. Addresses are relative, because the server may have a base path. */
export default defineConfig({
  base: './',
  plugins: [react(), phoneShell(), compressAndWeigh()],
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2023',
    // Small files are not inlined as data: URLs, so that the content security policy needs no exception for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: here('index.html'), sw: here('worker/worker.ts') },
      output: {
        // The service worker needs a name that stays, at the root, so that it may serve the page for telephones.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
