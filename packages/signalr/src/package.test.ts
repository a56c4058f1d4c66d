import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as publicApi from './index.ts';
import { defaultLimits } from './runtime/limits.ts';
import { checkTypes, clientFolder, installPackage, packPackage } from './testing/packed-package.fixture.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The code blocks of a language, in order. */
function codeBlocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** Runs a file. `output` returns the text that it has printed so far. */
function runFile(folder: string, name: string): { child: ChildProcess; output: () => string } {
  const chunks: string[] = [];
  const child = spawn(process.execPath, [name], { cwd: folder });
  child.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  child.stderr.on('data', (chunk) => chunks.push(String(chunk)));
  onTestFinished(() => void child.kill());
  return { child, output: () => chunks.join('') };
}

/** Waits long enough for a process that starts on a busy machine. */
async function waitFor(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 60_000 }).toBe(true);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('the installed package runs the example of the README with the stated output', {
  timeout: 180_000,
}, async () => {
  const { tarball, files } = await packPackage();
  const outside = files.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path));
  expect(outside.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(files.filter((path) => /test|fixture/.test(path))).toEqual([]);

  const port = String(await freePort());
  const [serverCode = '', clientCode = '', clientOutput = '', serverOutput = ''] = [
    ...codeBlocks('ts'),
    ...codeBlocks('js'),
    ...codeBlocks('text'),
  ].map((text) => text.replaceAll('8080', port));

  const serverFolder = await installPackage(tarball);
  writeFileSync(join(serverFolder, 'server.ts'), serverCode);
  await checkTypes(serverFolder, 'server.ts');
  const server = runFile(serverFolder, 'server.ts');
  await waitFor(() => server.output().includes('Listening') || server.child.exitCode !== null);
  expect(server.output()).toBe(serverOutput.split('\n')[0]?.concat('\n'));

  const folder = clientFolder();
  writeFileSync(join(folder, 'client.mjs'), clientCode);
  const client = runFile(folder, 'client.mjs');
  await waitFor(() => client.child.exitCode !== null);
  expect(client.output()).toBe(clientOutput);
  await waitFor(() => server.output().includes('disconnected'));
  expect(server.output()).toBe(serverOutput);
});

test('the README lists every limit with its default', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]);
  expect(Object.fromEntries(rows)).toEqual(defaultLimits);
});

test('the README lists every export', () => {
  const section = readme.slice(readme.indexOf('## Public API'), readme.indexOf('Not supported:'));
  const listed = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const index = readFileSync(new URL('./index.ts', import.meta.url), 'utf8');
  const exported = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
  );
  expect(listed.toSorted()).toEqual(exported.filter((name) => name !== '').toSorted());
  expect(listed).toEqual(expect.arrayContaining(Object.keys(publicApi)));
});
