import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { contents } from './src/contents.ts';
import { sitePath } from './src/page.ts';

const slugOf = (document: string) => document.replace(/\/README$/, '');

/** The documentation as static files. Everything that a page needs is a file of its own, as the policy of the server demands. */
export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  outDir: './dist',
  base: sitePath,
  trailingSlash: 'always',
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  image: { service: passthroughImageService() },
  prefetch: false,
  integrations: [
    starlight({
      title: 'Tocsin',
      customCss: ['./site/style.css'],
      sidebar: contents.map(({ label, documents }) => ({
        label,
        items: documents.map((document) => ({ slug: slugOf(document) })),
      })),
    }),
  ],
});
