import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { test as base } from '../../testing/plant.fixture.ts';
import { notAuthenticated } from '../authorization.ts';
import type { HttpApp } from '../http-app.ts';
import { readFolder } from './console-files.ts';

const nobody = async () => {
  throw notAuthenticated('unknown token');
};
const built = {
  'index.html': 'start',
  '404.html': '<h1>Page not found</h1><a href="/help/">start</a><script src="/help/_astro/page.4f2a.js">',
  'sip/index.html': 'telephones',
  'decisions/0001-store/index.html': 'one store',
  '_astro/page.4f2a.js': 'run()',
  'pagefind/pagefind.js': 'search()',
  'pagefind/index/en_1.pf_index': 'words',
};
const top = mkdtempSync(join(tmpdir(), 'help-'));
const folder = join(top, 'dist');
writeFileSync(join(top, 'secret.js'), 'secret');
for (const [path, content] of Object.entries(built)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
afterAll(() => rmSync(top, { recursive: true }));

const test = base.extend('open', ({ runtime }, { onCleanup }) => {
  const apps: HttpApp[] = [];
  onCleanup(async () => {
    for (const app of apps) await app.close();
  });
  return (dist: string, basePath = '') => {
    const console = { built: undefined, help: readFolder(dist) };
    const app = buildApp(runtime, nobody, { basePath, reference: false, console });
    apps.push(app);
    return app;
  };
});

test.for(['', '/alertws'])(
  'the documentation is below "%s/help", without a token',
  async (prefix, { open }) => {
    const app = open(folder, prefix);
    for (const [url, content] of [
      ['/help/', 'start'],
      ['/help/sip/', 'telephones'],
      ['/help/sip/?from=mail', 'telephones'],
      ['/help/decisions/0001-store/', 'one store'],
      ['/help/_astro/page.4f2a.js', 'run()'],
      ['/help/pagefind/index/en_1.pf_index', 'words'],
    ] as const) {
      const { statusCode, body } = await app.inject(`${prefix}${url}`);
      expect([statusCode, body], url).toEqual([200, content]);
    }
    for (const [url, to] of [
      ['/help', '/help/'],
      ['/help/sip', '/help/sip/'],
      ['/help/decisions/0001-store', '/help/decisions/0001-store/'],
    ] as const) {
      const { statusCode, headers } = await app.inject(`${prefix}${url}`);
      expect([statusCode, headers.location], url).toEqual([302, `${prefix}${to}`]);
    }
  },
);

test('WebAssembly may run for the search, below /help only, and nothing that is written into a page', async ({
  open,
}) => {
  const app = open(folder);
  for (const url of ['/help/', '/help/pagefind/pagefind.js'])
    expect((await app.inject(url)).headers['content-security-policy'], url).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  expect((await app.inject('/')).headers['content-security-policy']).not.toContain('wasm');
});

test('pages are asked for again at each use, files with a hash in their name are kept', async ({ open }) => {
  const app = open(folder);
  expect((await app.inject('/help/sip/')).headers['cache-control']).toBe('no-cache');
  expect((await app.inject('/help/_astro/page.4f2a.js')).headers['cache-control']).toContain('immutable');
});

test.for(['', '/alertws'])(
  'below "%s/help" an unknown address is a page of the documentation, and no file outside is read',
  async (prefix, { open }) => {
    const app = open(folder, prefix);
    for (const url of [
      '/help/..%2fsecret.js',
      '/help/%2e%2e%2fsecret.js',
      '/help//etc/passwd',
      '/help/nothing',
      '/help/nothing/',
      '/help/far/below/nothing.js',
      '/help/sip//',
      '/help/index.html/',
      '/help/404.html',
    ]) {
      const { statusCode, headers, body } = await app.inject(`${prefix}${url}`);
      expect([statusCode, headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8']);
      expect(body, 'addresses that work at any depth').toBe(
        `<h1>Page not found</h1><a href="${prefix}/help/">start</a><script src="${prefix}/help/_astro/page.4f2a.js">`,
      );
      expect(headers['content-security-policy']).toContain("script-src 'self'");
    }
  },
);

test('a path that leaves the documentation is an unknown address of the server', async ({ open }) => {
  for (const url of ['/help/../secret.js', '/help/%2e%2e/secret.js']) {
    const { statusCode, body } = await open(folder).inject(url);
    expect(statusCode, url).toBe(404);
    expect(body).not.toBe('secret');
  }
});

test('a documentation without a page for unknown addresses has a plain one', async ({ open }) => {
  const plain = join(top, 'plain');
  mkdirSync(plain);
  writeFileSync(join(plain, 'index.html'), 'start');
  const { statusCode, body } = await open(plain, '/alertws').inject('/alertws/help/nothing');
  expect(statusCode).toBe(404);
  expect(body).toContain('<a href="/alertws/help/">start</a>');
});

test('a documentation that is not built says how to build it', async ({ open }) => {
  const { statusCode, body } = await open(join(folder, 'pagefind')).inject('/help/sip/');
  expect(statusCode).toBe(503);
  expect(body).toContain('npm run build --workspace packages/help');
});
