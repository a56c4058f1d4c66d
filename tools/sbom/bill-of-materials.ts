import {
  dependenciesOf,
  type Lock,
  type LockedPackage,
  productionTree,
  resolvePackage,
} from './lock-file.ts';
import { consolePackages, debianPackages, deliveredTree, helpPackages, serverPackage } from './shipped.ts';

/** A component of CycloneDX 1.6, with the members that we write. */
export type Component = {
  type: 'application' | 'library' | 'platform';
  'bom-ref': string;
  name: string;
  version?: string;
  purl?: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  hashes?: { alg: 'SHA-512'; content: string }[];
  externalReferences?: { type: 'distribution'; url: string }[];
  properties: { name: string; value: string }[];
};

export type BillOfMaterials = {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: 1;
  metadata: { component: Component; properties: { name: string; value: string }[] };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * The bill of materials of a delivery: the production installs of the server and of the command line, the packages in the
 * built console and documentation, and the packages of Debian in the image. It depends on the lock file and the Dockerfile
 * only, so that two builds write the same.
 */
export function billOfMaterials(lock: Lock, dockerfile: string): BillOfMaterials {
  const server = productionTree(lock, serverPackage);
  const withCommandLine = deliveredTree(lock);
  const inConsole = consolePackages.map((name) => pathOf(lock, 'packages/console', name));
  const inHelp = helpPackages.map((name) => pathOf(lock, 'packages/help', name));
  const paths = [...new Set([...withCommandLine, ...inConsole, ...inHelp])];
  const components = new Map<string, Component>();
  for (const path of paths) {
    const parts = [
      ...(server.includes(path) ? ['server'] : []),
      ...(withCommandLine.includes(path) && !server.includes(path) ? ['command line'] : []),
      ...(inConsole.includes(path) ? ['console'] : []),
      ...(inHelp.includes(path) ? ['help'] : []),
    ];
    const component = componentOf(lock, path, parts);
    components.set(component['bom-ref'], component);
  }
  for (const name of debianPackages(dockerfile)) components.set(debianRef(name), debianComponent(name));
  const product = productOf(lock);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(lock.sha256),
    version: 1,
    metadata: {
      component: product,
      properties: [{ name: 'tocsin:package-lock-sha256', value: lock.sha256 }],
    },
    components: [...components.values()].toSorted((one, other) =>
      one['bom-ref'] < other['bom-ref'] ? -1 : 1,
    ),
    dependencies: [
      { ref: product['bom-ref'], dependsOn: [...components.keys()].filter(isOwn).toSorted() },
      ...dependencyGraph(lock, withCommandLine),
    ],
  };
}

function productOf({ packages }: Lock): Component {
  const { version = '' } = packages[''] ?? {};
  return {
    type: 'application',
    'bom-ref': `tocsin@${version}`,
    name: 'tocsin',
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    properties: [{ name: 'tocsin:platform', value: 'Node.js 24.9 or later, PostgreSQL 15 or later' }],
  };
}

function componentOf(lock: Lock, path: string, parts: readonly string[]): Component {
  const locked = lock.packages[path] ?? {};
  const { version = '', integrity, resolved } = locked;
  const name = nameOf(path, locked);
  return {
    type: 'library',
    'bom-ref': refOf(name, version),
    name,
    version,
    purl: refOf(name, version),
    licenses: [licenseOf(locked.license ?? 'Apache-2.0')],
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    ...(resolved?.startsWith('https:') && {
      externalReferences: [{ type: 'distribution', url: resolved }],
    }),
    properties: parts.map((value) => ({ name: 'tocsin:part', value })),
  };
}

function debianComponent(name: string): Component {
  return {
    type: 'application',
    'bom-ref': debianRef(name),
    name,
    purl: debianRef(name),
    properties: [{ name: 'tocsin:part', value: 'image' }],
  };
}

const debianRef = (name: string) => `pkg:deb/debian/${name}`;

/**
 * Packages may be found at several paths; each version is listed once, with the union of their dependencies. The database
 * of the demo is not delivered.
 */
function dependencyGraph(lock: Lock, paths: readonly string[]): { ref: string; dependsOn: string[] }[] {
  const graph = new Map<string, Set<string>>();
  for (const path of paths) {
    const ref = refAt(lock, path);
    const known = graph.get(ref) ?? new Set();
    const listed = dependenciesOf(lock, path).filter((needed) => paths.includes(needed));
    for (const needed of listed) known.add(refAt(lock, needed));
    graph.set(ref, known);
  }
  return [...graph]
    .map(([ref, needed]) => ({ ref, dependsOn: [...needed].toSorted() }))
    .toSorted((one, other) => (one.ref < other.ref ? -1 : 1));
}

const isOwn = (ref: string) => /^pkg:npm\/(%40tocsin\/|tocsin@)/.test(ref);

/** A package finds another from its own folder; those of others are found from the package that needs them. */
function pathOf(lock: Lock, from: string, name: string): string {
  const path = resolvePackage(lock.packages, from, name);
  if (path === undefined) throw new Error(`package-lock.json has no ${name}, which ${from} contains`);
  return path;
}

function nameOf(path: string, { name }: LockedPackage): string {
  return name ?? path.split('node_modules/').at(-1) ?? path;
}

function refAt({ packages }: Lock, path: string): string {
  const locked = packages[path] ?? {};
  return refOf(nameOf(path, locked), locked.version ?? '');
}

function refOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licenseOf(license: string): { license: { id: string } } | { expression: string } {
  return license.startsWith('(') ? { expression: license.slice(1, -1) } : { license: { id: license } };
}

function hashOf(integrity: string): { alg: 'SHA-512'; content: string } {
  const [, base64] = /^sha512-(\S+)/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`${integrity} is not SHA-512`);
  return { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}

/** A UUID of version 8, whose bits are those of the lock file's hash: the same content has the same number. */
function serialOf(sha256: string): string {
  const part = (from: number, to: number) => sha256.slice(from, to);
  const parts = [part(0, 8), part(8, 12), `8${part(13, 16)}`, `a${part(17, 20)}`, part(20, 32)];
  return `urn:uuid:${parts.join('-')}`;
}
