/** The parts of a semantic version; a release has no `before`, a preview such as `1.0.0-rc.1` has `rc.1`. */
type Version = { readonly numbers: readonly number[]; readonly before: string | undefined };

function parseVersion(text: string): Version {
  const [, major, minor, patch, before] = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z.]+))?$/.exec(text) ?? [];
  if (major === undefined) throw new Error(`${text} is no version: write it as 1.2.3 or 1.2.3-rc.1.`);
  return { numbers: [major, minor, patch].map(Number), before };
}

/** Negative if `one` is the lower version, 0 if they are the same, as Semantic Versioning orders them. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.before === b.before) return 0;
  if (a.before === undefined) return 1;
  if (b.before === undefined) return -1;
  return a.before.localeCompare(b.before, 'en', { numeric: true });
}

type Manifest = {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
type LockFile = Manifest & { packages?: Record<string, Manifest> };

/** The text of a package.json with a new version of the package and of those that are released with it. */
export function setManifestVersion(text: string, version: string, released: ReadonlySet<string>): string {
  return print(withVersion(JSON.parse(text) as Manifest, version, released));
}

/** The text of package-lock.json with the new version of each workspace. */
export function setLockVersion(text: string, version: string, released: ReadonlySet<string>): string {
  const lock = JSON.parse(text) as LockFile;
  const packages = Object.entries(lock.packages ?? {}).map(([path, locked]) =>
    path.includes('node_modules/') ? [path, locked] : [path, withVersion(locked, version, released)],
  );
  return print({ ...lock, version, packages: Object.fromEntries(packages) });
}

function withVersion(manifest: Manifest, version: string, released: ReadonlySet<string>): Manifest {
  const changed = { ...manifest, version };
  for (const member of ['dependencies', 'devDependencies'] as const) {
    const needed = manifest[member];
    if (needed === undefined) continue;
    changed[member] = Object.fromEntries(
      Object.entries(needed).map(([name, wanted]) => [name, released.has(name) ? version : wanted]),
    );
  }
  return changed;
}

const print = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
