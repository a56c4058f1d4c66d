import { describe, expect, test } from 'vitest';
import { readFragment, releaseChangelog } from './changelog.ts';

const release = { version: '0.2.0', date: '2026-11-18' };
const changelog = `# Changelog

## Unreleased

Read this first.

### Added

**Alarms**

- Site plans.

### Fixed

- A late reply counts.

## 0.1.0 (2026-01-01)

- The beginning.
`;

test('a release moves the unreleased changes under its version, and keeps the older ones', () => {
  expect(releaseChangelog(changelog, [], release)).toBe(
    changelog.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 (2026-11-18)\n'),
  );
});

test('each fragment is listed once, in the section of its kind', () => {
  const fragments = [
    readFragment('fixed-siren.md', 'The siren stops\nat once.\n'),
    readFragment('added-package.md', '- A Debian package.\n'),
    readFragment('security-tokens.md', 'Tokens end earlier.'),
  ];
  expect(releaseChangelog(changelog, fragments, release)).toContain(`## 0.2.0 (2026-11-18)

Read this first.

### Added

- A Debian package.

**Alarms**

- Site plans.

### Fixed

- The siren stops
  at once.
- A late reply counts.

### Security

- Tokens end earlier.

## 0.1.0 (2026-01-01)
`);
});

describe('a release is refused', () => {
  test('if nothing has changed', () => {
    expect(() => releaseChangelog('# Changelog\n\n## Unreleased\n', [], release)).toThrow(
      'nothing to release',
    );
  });

  test('if the changelog has no place for changes', () => {
    expect(() => releaseChangelog('# Changelog\n', [], release)).toThrow('no heading "## Unreleased"');
  });

  test.for(['siren.md', 'better-siren.md', 'fixed-Siren.md', 'fixed-siren.txt'])(
    'if the kind of %s is unknown',
    (file) => {
      expect(() => readFragment(file, 'text')).toThrow(`Rename changes/${file}`);
    },
  );

  test('if a fragment is empty', () => {
    expect(() => readFragment('fixed-siren.md', ' \n')).toThrow('changes/fixed-siren.md is empty');
  });
});
