import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const repository = join(packageFolder, '../..');
const packedInputs = ['src', 'package.json', 'README.md', 'LICENSE', 'tsconfig.json'];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalr-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export type PackedPackage = {
  /** The path of the tarball. */
  readonly tarball: string;
  /** The paths of the packed files. */
  readonly files: readonly string[];
};

/** Builds and packs a copy of the package with `npm pack`, so that neither an old nor a concurrent build matters. */
export async function packPackage(): Promise<PackedPackage> {
  const copy = temporaryFolder();
  const folder = join(copy, 'packages/signalr');
  mkdirSync(folder, { recursive: true });
  cpSync(join(repository, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  for (const name of packedInputs) cpSync(join(packageFolder, name), join(folder, name), { recursive: true });
  const output = await npm(folder, 'pack', '--json', '--silent');
  const [packed] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/**
 * Installs the tarball in an empty folder. The dependencies that the package declares are copied from this repository,
 * so that no network is needed; a dependency that it does not declare is missing there.
 */
export async function installPackage(tarball: string): Promise<string> {
  const folder = temporaryFolder();
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const copied = Object.keys(dependencies).map((name) => [
    name,
    `file:${join(repository, 'node_modules', name)}`,
  ]);
  const consumer = {
    type: 'module',
    dependencies: { '@tocsin/signalr': `file:${tarball}`, ...Object.fromEntries(copied) },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(consumer));
  await npm(folder, 'install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund');
  return folder;
}

/** A folder with the dependencies of this repository, which include the official client. */
export function clientFolder(): string {
  const folder = temporaryFolder();
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Checks the types of a file against the declarations of the installed package. */
export async function checkTypes(folder: string, file: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '--project', project]).catch((error: { stdout?: string }) => {
    throw new Error(`the types of ${file} are wrong: ${error.stdout}`);
  });
}

/** Runs the npm that runs these tests. */
async function npm(folder: string, ...args: string[]): Promise<string> {
  const script = process.env['npm_execpath'];
  const [command, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  // Settings of the npm process that runs the tests must not apply to this one.
  const settings = Object.keys(process.env).filter((name) => /^npm_(config|package|lifecycle)_/i.test(name));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.includes(name)));
  const { stdout } = await run(command, [...before, ...args], { cwd: folder, env });
  return stdout;
}
