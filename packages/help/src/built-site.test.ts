import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { contents } from './contents.ts';
import { addressOf, missingPage } from './page.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const pages = globSync('**/*.html', { cwd: dist }).toSorted();
const read = (path: string) => readFileSync(join(dist, path), 'utf8');

/** Addresses at the server that are not part of the site. */
const besides = ['/docs'];

const tags = /<[a-z][\w-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*\/?>/gi;
const addressesIn = (html: string): string[] =>
  (html.match(tags) ?? []).flatMap((tag) =>
    [...tag.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&'),
    ),
  );

const idsOf = new Map<string, ReadonlySet<string>>();
function hasId(page: string, id: string): boolean {
  let ids = idsOf.get(page);
  if (!ids) {
    ids = new Set((read(page).match(tags) ?? []).flatMap((tag) => /\sid="([^"]*)"/.exec(tag)?.[1] ?? []));
    idsOf.set(page, ids);
  }
  return ids.has(id);
}

/** The fault of an address in a page, or undefined. */
function faultOf(page: string, address: string): string | undefined {
  if (/^(https?|mailto|data):/.test(address)) return undefined;
  const [path = '', anchor] = address.split('#');
  const from = path.startsWith('/') ? '/' : posix.join('/help', dirname(page));
  const target = path === '' ? `/help/${page}` : posix.join(from, path);
  if (besides.includes(target)) return undefined;
  const file = target.replace(/^\/help\//, '').replace(/(^|\/)$/, '$1index.html');
  if (!target.startsWith('/help/') || !existsSync(join(dist, file))) return `${address}: no such file`;
  if (anchor && !hasId(file, decodeURIComponent(anchor))) return `${address}: no such place`;
  return undefined;
}

describe('the built site', () => {
  test('is there', () => {
    expect(pages.length, 'build it first: npm run build').toBeGreaterThan(100);
    for (const document of contents.flatMap((section) => section.documents))
      expect(pages).toContain(`${addressOf(`${document}.md`).slice('/help/'.length)}index.html`);
  });

  test('has no link to a page or a place that does not exist', () => {
    const faults = pages.flatMap((page) =>
      [...new Set(addressesIn(read(page)))].flatMap((address) => {
        const fault = faultOf(page, address);
        return fault === undefined ? [] : [`${page} ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
    expect(pages.flatMap((page) => addressesIn(read(page))).length).toBeGreaterThan(5_000);
  });

  test.for(['../gone/', '#gone', '../sip/#gone', '../../../etc/passwd', '../../api/v1/alarms'])(
    'a broken link to %s is found',
    (address) => {
      expect(faultOf('dispatch/index.html', address)).toBeDefined();
    },
  );

  test('writes no script and no style into a page, and loads nothing from elsewhere', () => {
    for (const page of pages) {
      const html = read(page);
      expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g), page).toBeNull();
      expect(html.match(/<style/g), page).toBeNull();
      const started = html.match(tags) ?? [];
      expect(
        started.filter((tag) => /\sstyle=|\son[a-z]+=/.test(tag)),
        page,
      ).toEqual([]);
      const loaded = started.filter((tag) =>
        /^<(script|img|source|iframe|video|audio)\b|rel="stylesheet"/.test(tag),
      );
      expect(
        loaded.filter((tag) => /(?:src|href)="(?:https?:)?\/\//.test(tag)),
        page,
      ).toEqual([]);
    }
  });

  test('has no header without a text and no control without a name', () => {
    const unnamed = /<th[^>]*><\/th>|<input type="checkbox"[^>]*>/;
    expect(pages.filter((page) => unnamed.test(read(page)))).toEqual([]);
  });

  test('knows no address of a server, so that it works below any base path; the server adds its own to the page for unknown addresses', () => {
    const scripts = globSync('{_astro,pagefind}/*.{js,css}', { cwd: dist });
    expect(scripts.length).toBeGreaterThan(3);
    for (const script of scripts) expect(read(script), script).not.toMatch(/["'`(]\/help\//);
    const isOfServer = (address: string) => address.startsWith('/');
    for (const page of pages.filter((path) => path !== missingPage))
      expect(addressesIn(read(page)).filter(isOfServer), page).toEqual([]);
    const ofMissing = addressesIn(read(missingPage)).filter((address) => !/^(#|https?:)/.test(address));
    expect(ofMissing.length).toBeGreaterThan(10);
    expect(ofMissing.filter((address) => !address.startsWith('/help/'))).toEqual([]);
  });
});
