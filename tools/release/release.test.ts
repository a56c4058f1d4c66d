import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../make-release.ts', import.meta.url));

/** Settings of the npm process that runs the tests must not apply to the one that makes the release. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/i.test(name)),
);

/** Scripts of the small project: each writes a file, so that the test sees whether it ran, and with which version. */
const writes = (file: string) =>
  `node -e "const fs = require('node:fs'); fs.mkdirSync(require('node:path').dirname('${file}'), { recursive: true }); fs.writeFileSync('${file}', require('./package.json').version)"`;

/** A git repository with a server that needs a library, and a private tool. */
function smallProject({ deb = writes('release/small.deb') } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'tocsin-release-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, content: string | object) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(root, path), text);
  };
  const version = '0.1.0';
  const scripts = {
    openapi: writes('docs/openapi.json'),
    asyncapi: writes('docs/asyncapi.json'),
    sbom: writes('sbom.cdx.json'),
    build: writes('packages/library/dist/index.js'),
    deb,
  };
  const files = ['dist'];
  write('package.json', {
    name: 'small',
    version,
    private: true,
    workspaces: ['packages/*', 'tools'],
    scripts,
  });
  write('packages/library/package.json', { name: 'small-library', version, files });
  write('packages/server/package.json', {
    name: 'small-server',
    version,
    dependencies: { 'small-library': version },
  });
  write('tools/package.json', { name: 'small-tools', version, private: true });
  write('package-lock.json', { name: 'small', version, lockfileVersion: 3, packages: { '': { version } } });
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
  write('changes/added-siren.md', 'A siren.\n');
  write('create-database.sh', '#!/bin/sh\n');
  write('.gitignore', 'dist/\nrelease/\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@plant.example');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'begin');
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=source', script, ...args], {
      cwd: root,
      env: environment,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return { root, write, git, release, read };
}

test('a dry run tells what a release would do, and does nothing', () => {
  const { root, git, release } = smallProject();
  const { status, output } = release('0.2.0', '--dry-run', '--date', '2026-11-18');
  expect(output).toContain('Release 0.2.0, tag v0.2.0');
  expect(output).toContain('## 0.2.0 (2026-11-18)\n\n### Added\n\n- A siren.');
  expect(output).toContain('packs: small-library, small-server, the Debian package');
  expect(status).toBe(0);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag', '--list')).toBe('');
  expect(existsSync(join(root, 'release'))).toBe(false);
});

test('a release has one version everywhere, a changelog, a tag, and files with their sums', () => {
  const { root, git, release, read } = smallProject();
  expect(release('0.2.0', '--date', '2026-11-18')).toMatchObject({ status: 0 });
  expect(git('tag', '--list')).toBe('v0.2.0');
  expect(git('log', '-1', '--format=%s')).toBe('build: release 0.2.0');
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(git('status', '--porcelain')).toBe('');
  expect(JSON.parse(read('packages/server/package.json'))).toMatchObject({
    version: '0.2.0',
    dependencies: { 'small-library': '0.2.0' },
  });
  for (const generated of ['docs/openapi.json', 'docs/asyncapi.json', 'sbom.cdx.json'])
    expect(git('show', `HEAD:${generated}`)).toBe('0.2.0');
  expect(read('CHANGELOG.md')).toContain(
    '## Unreleased\n\n## 0.2.0 (2026-11-18)\n\n### Added\n\n- A siren.\n',
  );
  expect(existsSync(join(root, 'changes/added-siren.md'))).toBe(false);
  expect(readdirSync(join(root, 'release')).toSorted()).toEqual([
    'SHA256SUMS',
    'create-database.sh',
    'small-library-0.2.0.tgz',
    'small-server-0.2.0.tgz',
    'small.deb',
    'tocsin-0.2.0.cdx.json',
  ]);
  const packed = execFileSync('tar', ['-tzf', join(root, 'release/small-library-0.2.0.tgz')], {
    encoding: 'utf8',
  });
  expect(packed).toContain('package/dist/index.js');
  const check = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(root, 'release') });
  expect(check.status).toBe(0);
});

test('the packages of a release are built again from its tag, and of nothing else', () => {
  const { root, release, read } = smallProject();
  expect(release('0.1.0', '--artifacts').output).toContain('This working tree is not the release 0.1.0');
  expect(release('0.2.0', '--date', '2026-11-18')).toMatchObject({ status: 0 });
  const sums = read('release/SHA256SUMS');
  rmSync(join(root, 'release'), { recursive: true });
  expect(release('0.2.0', '--artifacts')).toMatchObject({ status: 0 });
  expect(read('release/SHA256SUMS')).toBe(sums);
});

test('a package that cannot be built leaves no tag and no commit, and the message tells how to undo the rest', () => {
  const { git, release } = smallProject({ deb: 'exit 3' });
  const { status, output } = release('0.2.0');
  expect(status).toBe(1);
  expect(output).toContain('`git restore --staged --worktree .`');
  expect(git('tag', '--list')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('begin');
});

test('a version that was released, or is lower than the last, is refused', () => {
  const { git, release } = smallProject();
  git('tag', 'v0.2.0');
  expect(release('0.2.0').output).toContain('The tag v0.2.0 exists already');
  expect(release('0.0.9').output).toContain('0.0.9 is lower than 0.1.0');
  expect(release('latest').output).toContain('latest is no version');
  expect(release().output).toContain('Usage: npm run release -- VERSION');
});

test('changes that are not committed are in no release', () => {
  const { write, release } = smallProject();
  write('siren.ts', '');
  expect(release('0.2.0')).toMatchObject({ status: 1, output: expect.stringContaining('siren.ts') });
});
