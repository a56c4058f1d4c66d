import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { permissionsOf, problems } from '@tocsin/server/testing';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();

/** The cells of a table, row by row without its head, found by the first words of that head. */
function tableOf(text: string, head: string): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (start < 0) return [];
  const after = lines.slice(start + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** As GitHub names the place of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const withoutCode = (text: string) => text.replaceAll(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');

function anchorsOf(path: string): string[] {
  const text = read(path).replaceAll(/```[^]*?```/g, '');
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** Links of a page to other files or places of this repository, as they are written. */
function linksOf(path: string): string[] {
  const links = [...withoutCode(read(path)).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)];
  return links.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** The fault of a link, or undefined. */
function faultOf(page: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : relative(root, join(root, dirname(page), file));
  if (!existsSync(join(root, target))) return `${link}: no such file`;
  if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return `${link}: no such heading`;
  return undefined;
}

describe('links of the documents', () => {
  test('were found', () => {
    expect(pages).toContain('README.md');
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(60);
  });

  test.for(pages)('%s links to what exists', (page) => {
    expect(linksOf(page).flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
  });

  test.for(['docs/gone.md', 'README.md#gone', '#gone'])('a broken link to %s is found', (link) => {
    expect(faultOf('README.md', link)).toBeDefined();
  });
});

test('docs/interface.md has every problem code of the contract, and no other', () => {
  const told = tableOf(read('docs/interface.md'), 'Status | Code').map(
    ([status, code]) => `${status} ${code}`,
  );
  const known = Object.entries(problems).map(([code, { status }]) => `${status} ${code}`);
  expect(told.toSorted()).toEqual(known.toSorted());
});

test('docs/operations.md has every role with exactly its permissions', () => {
  const page = read('docs/operations.md');
  const roles = Object.keys(permissionsOf) as (keyof typeof permissionsOf)[];
  const told = tableOf(page, `Permission | ${roles.join(' | ')}`).map((cells) => cells.slice(0, -1));
  const known = permissionsOf.admin.map((permission) => {
    const marks = roles.map((role) => (permissionsOf[role].includes(permission) ? '✓' : ''));
    return [permission as string].concat(marks);
  });
  expect(told).toEqual(known);
});

test('the table of run-time dependencies names each in its version, and no other', () => {
  const manifests = ['server', 'contract', 'domain'].map(
    (name) => JSON.parse(read(`packages/${name}/package.json`)) as { dependencies: Record<string, string> },
  );
  const known = Object.fromEntries(
    manifests
      .flatMap(({ dependencies }) => Object.entries(dependencies))
      .filter(([name]) => !name.startsWith('@tocsin/')),
  );
  const rows = tableOf(read('docs/decisions/0009-run-time-dependencies.md'), 'Package | Version');
  expect(Object.fromEntries(rows.map(([name = '', version]) => [name, version]))).toEqual(known);
});

test('CONTRIBUTING.md names every npm script', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = tableOf(read('CONTRIBUTING.md'), 'Command').map(([command = '']) => command);
  const known = Object.keys(scripts).map((name) =>
    name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`,
  );
  expect(commands.filter((command) => command.startsWith('npm ')).toSorted()).toEqual(known.toSorted());
});

test('the documents contain no path of a development machine', () => {
  const faults = pages.filter((page) => /\/(?:work|home|root|Users)\//.test(read(page)));
  expect(faults).toEqual([]);
});

describe('the jobs in docs/operations.md', () => {
  const sources = [
    'serve.ts',
    'upkeep/upkeep-jobs.ts',
    'dispatch/run-dispatch.ts',
    'commands/open-commands.ts',
  ];
  const jobs = sources.flatMap((file) =>
    [...read(`packages/server/src/${file}`).matchAll(/name: '([a-z ]+)',\s+everyMs/g)].map(
      ([, name]) => name,
    ),
  );

  test('are those that the server runs', () => {
    expect(jobs.length).toBeGreaterThan(15);
    const listed = tableOf(read('docs/operations.md'), 'Job').map(([name]) => name);
    expect(listed.toSorted()).toEqual(jobs.toSorted());
  });
});

test('log messages that the docs quote are logged', () => {
  const quoted = ['operations', 'dispatch', 'hub', 'commands'].flatMap((page) =>
    [...read(`docs/${page}.md`).matchAll(/\(`((?:[a-z]+ )+[a-z]+)`[,)]/g)].map(([, message = '']) => message),
  );
  const sources = globSync('packages/{server,signalr}/src/**/*.ts', { cwd: root }).map(read).join('\n');
  expect(quoted.length).toBeGreaterThan(3);
  expect(quoted.filter((message) => !sources.includes(`'${message}`))).toEqual([]);
});
