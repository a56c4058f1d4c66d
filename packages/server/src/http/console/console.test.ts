import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { consolePages } from '@tocsin/contract';
import { afterAll, expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { test as base } from '../../testing/plant.fixture.ts';
import { notAuthenticated } from '../authorization.ts';
import type { HttpApp } from '../http-app.ts';
import { builtConsole, readConsole } from './console-files.ts';

const nobody = async () => {
  throw notAuthenticated('unknown token');
};
const script = 'console.log("alarms");'.repeat(50);
const built = {
  'index.html': `<!doctype html><html><head><meta name="base-path" content="/">
<link rel="manifest" href="./manifest.webmanifest"><script type="module" src="./assets/index-4f2a.js"></script>
</head><body><a href="https://tocsin.example/./x">x</a></body></html>`,
  'assets/index-4f2a.js': script,
  'assets/index-4f2a.js.br': brotliCompressSync(script),
  'assets/index-4f2a.js.gz': gzipSync(script),
  'assets/index-4f2a.js.map': '{"sources":[]}',
  'assets/plain-77aa.css': 'body{}',
  'sw.js': 'self.skipWaiting()',
  'manifest.webmanifest': '{"start_url":"./m"}',
  'icons/tocsin.svg': '<svg/>',
};

const top = mkdtempSync(join(tmpdir(), 'console-'));
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
  return (dist: string | undefined, basePath = '') => {
    const console = dist === undefined ? undefined : { built: readConsole(dist, basePath) };
    const app = buildApp(runtime, nobody, { basePath, reference: false, console });
    apps.push(app);
    return app;
  };
});

test('each page of the console answers its index, which is never kept, without a token', async ({ open }) => {
  const app = open(folder);
  for (const page of consolePages) {
    const { statusCode, headers, body } = await app.inject(page.replace('*', '7/timeline'));
    expect(statusCode, page).toBe(200);
    expect(body).toContain('src="/assets/index-4f2a.js"');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  }
});

test('the page knows the prefix of the server, and so do its files', async ({ open }) => {
  const app = open(folder, '/alertws');
  for (const url of ['/alertws', '/alertws/', '/alertws/alarms/7']) {
    const { statusCode, body } = await app.inject(url);
    expect(statusCode, url).toBe(200);
    expect(body).toContain('<meta name="base-path" content="/alertws/">');
    expect(body).toContain('href="/alertws/manifest.webmanifest"');
    expect(body).toContain('src="/alertws/assets/index-4f2a.js"');
    expect(body, 'other addresses stay').toContain('href="https://tocsin.example/./x"');
  }
  expect((await app.inject('/alertws/assets/index-4f2a.js')).body).toBe(script);
  for (const url of ['/', '/areas', '/assets/index-4f2a.js'])
    expect((await app.inject(url)).statusCode, url).toBe(404);
});

test('a file comes in the best encoding that the browser takes, and is kept for a year', async ({ open }) => {
  const app = open(folder);
  const ask = (accepted: string, tag?: string) =>
    app.inject({
      url: '/assets/index-4f2a.js',
      headers: { 'accept-encoding': accepted, ...(tag && { 'if-none-match': tag }) },
    });
  const best = await ask('gzip, deflate, br, zstd');
  expect(best.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(best.rawPayload).toString()).toBe(script);
  expect((await ask('br;q=0, gzip;q=0.5')).headers['content-encoding']).toBe('gzip');
  const plain = await ask('identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(script);

  const tag = String(best.headers.etag);
  expect(tag).not.toBe(plain.headers.etag);
  const again = await ask('br', `"other", W/${tag}`);
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag]);
  expect((await ask('br', '"other"')).statusCode).toBe(200);
});

test('the service worker, the manifest and icons are asked for again at each use', async ({ open }) => {
  const app = open(folder);
  for (const [url, type] of [
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/icons/tocsin.svg', 'image/svg+xml'],
  ] as const) {
    const { statusCode, headers } = await app.inject(url);
    expect(statusCode, url).toBe(200);
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
    expect(headers['content-security-policy'], 'a worker runs under it').toContain("connect-src 'self'");
  }
});

const nowhere = [
  '/assets/../secret.js',
  '/assets/..%2f..%2fsecret.js',
  '/assets/..%5c..%5csecret.js',
  '/assets/%2e%2e/%2e%2e/secret.js',
  '/assets//etc/passwd',
  '/assets/index-4f2a.js.map',
  '/assets/index-4f2a.js.br',
  '/assets/',
  '/index.html',
  '/secret.js',
  '/api/v1/pumps',
  '/wp-login.php',
];

test('other paths are problems: no file outside the console is read', async ({ open }) => {
  const app = open(folder);
  for (const url of nowhere) {
    const { statusCode, headers } = await app.inject(url);
    expect(statusCode, url).toBe(404);
    expect(headers['content-type'], url).toContain('application/problem+json');
  }
});

test('a program that forgot the prefix of the interface gets a problem, not a page', async ({ open }) => {
  const app = open(folder);
  const asked = { url: '/areas', headers: { accept: 'application/json' } };
  expect((await app.inject(asked)).json()).toMatchObject({ status: 404, code: 'not-found' });
  expect((await app.inject({ ...asked, method: 'POST' })).statusCode).toBe(405);
});

test('the interface, the probes and its document stay where they are', async ({ open }) => {
  const app = open(folder);
  expect((await app.inject('/livez')).json()).toEqual({ status: 'ok' });
  expect((await app.inject('/api/v1/alarms')).statusCode).toBe(401);
  expect((await app.inject('/openapi.json')).json()).not.toHaveProperty(['paths', '/areas']);
});

test('a console that is not built says how to build it', async ({ open }) => {
  const { statusCode, headers, body } = await open(join(folder, 'assets')).inject('/');
  expect([statusCode, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(body).toContain('npm run build --workspace packages/console');
});

test('without a console there is nothing at /', async ({ open }) => {
  expect((await open(undefined).inject('/')).statusCode).toBe(404);
});

test('the console of this working copy is complete: its page names files that are served', async ({
  open,
}) => {
  expect(existsSync(builtConsole), 'build the console first: npm run build').toBe(true);
  const app = open(builtConsole, '/alertws');
  const { body } = await app.inject('/alertws/alarms/7');
  const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
  expect(named.length).toBeGreaterThan(1);
  for (const url of named) {
    expect(url).toMatch(/^\/alertws\//);
    expect((await app.inject(url)).statusCode, url).toBe(200);
  }
  expect(body).toContain('<meta name="base-path" content="/alertws/"');
  expect(body).not.toMatch(/<style|<script(?![^>]* src=)| style=/);
});
