import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The members of a locked package that decide what is installed with it, and what a bill of materials states. */
const LockedPackage = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  resolved: Type.Optional(Type.String()),
  integrity: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  link: Type.Optional(Type.Boolean()),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  peerDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  peerDependenciesMeta: Type.Optional(
    Type.Record(Type.String(), Type.Object({ optional: Type.Optional(Type.Boolean()) })),
  ),
});
export type LockedPackage = Static<typeof LockedPackage>;

const LockFile = Type.Object({ packages: Type.Record(Type.String(), LockedPackage) });

export type Lock = { readonly packages: Readonly<Record<string, LockedPackage>>; readonly sha256: string };

export function readLock(path: string | URL): Lock {
  const text = readFileSync(path, 'utf8');
  const { packages } = Value.Parse(LockFile, JSON.parse(text));
  return { packages, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The paths of the packages that a package needs when it runs. */
export function dependenciesOf({ packages }: Lock, path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {};
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
  return names.map((name) => {
    const found = resolvePackage(packages, path, name);
    if (found === undefined) throw new Error(`package-lock.json has no ${name}, which ${path} needs`);
    return found;
  });
}

/** The place of a package by its name, as Node.js finds it from another package. */
export function resolvePackage(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/\/?[^/]*$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const found = packages[place];
    if (found?.link === true) return found.resolved;
    if (found) return place;
    if (folder === '') return undefined;
  }
}

/** The package at `start` and all packages that it needs, directly or through others. */
export function productionTree(lock: Lock, start: string): string[] {
  const found = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    waiting.push(...dependenciesOf(lock, path));
  }
  return [...found].toSorted();
}
