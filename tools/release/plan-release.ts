import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from './build-artifacts.ts';
import { type Fragment, readFragment, releaseChangelog } from './changelog.ts';
import { compareVersions, setLockVersion, setManifestVersion } from './versions.ts';

export type ReleasePlan = Build & {
  readonly tag: string;
  /** New texts of files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Fragments that are now in the changelog, by path. */
  readonly deleted: readonly string[];
};

type Manifest = { name: string; version: string; private?: boolean; workspaces?: string[] };

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** Checks that the version can be released from this working tree, and returns what will change. Changes nothing. */
export function planRelease(root: string, { version, date }: { version: string; date: string }): ReleasePlan {
  const project = readJson(join(root, 'package.json'));
  if (compareVersions(version, project.version) < 0)
    throw new Error(`${version} is lower than ${project.version}, the version in package.json.`);
  const tag = `v${version}`;
  checkTree(root, tag);

  const paths = workspacePaths(root, project);
  const manifests = paths.map((path) => readJson(join(root, path)));
  const names = new Set(manifests.map(({ name }) => name));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const fragments = readFragments(root);
  const texts = new Map([
    ...['package.json', ...paths].map(
      (path) => [path, setManifestVersion(read(path), version, names)] as const,
    ),
    ['package-lock.json', setLockVersion(read('package-lock.json'), version, names)],
    ['CHANGELOG.md', releaseChangelog(read('CHANGELOG.md'), fragments, { version, date })],
  ]);
  return {
    version,
    date,
    tag,
    texts,
    deleted: fragments.map(({ file }) => `changes/${file}`),
    published: publishedOf(manifests),
  };
}

/** The build of a version that was released already: it has the day that the changelog states. */
export function planBuild(root: string, version: string): Build {
  const project = readJson(join(root, 'package.json'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} (`));
  const [, date] = /\((\d{4}-\d\d-\d\d)\)$/.exec(heading ?? '') ?? [];
  if (project.version !== version || date === undefined)
    throw new Error(`This working tree is not the release ${version}: check out the tag v${version}.`);
  const manifests = workspacePaths(root, project).map((path) => readJson(join(root, path)));
  return { version, date, published: publishedOf(manifests) };
}

function publishedOf(manifests: readonly Manifest[]): string[] {
  return manifests.filter((manifest) => manifest.private !== true).map(({ name }) => name);
}

function checkTree(root: string, tag: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain');
  if (changes !== '')
    throw new Error(`The working tree has changes: commit or stash them first.\n${changes}`);
  if (git('tag', '--list', tag) !== '')
    throw new Error(`The tag ${tag} exists already: a release is never replaced. Take the next version.`);
}

function workspacePaths(root: string, { workspaces = [] }: Manifest): string[] {
  const folders = workspaces.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return folders
    .map((folder) => join(folder, 'package.json'))
    .filter((path) => existsSync(join(root, path)))
    .toSorted();
}

function readFragments(root: string): Fragment[] {
  const folder = join(root, 'changes');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file !== 'README.md');
  return files.toSorted().map((file) => readFragment(file, readFileSync(join(folder, file), 'utf8')));
}
