import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readLock } from '../sbom/lock-file.ts';
import { commandLinePackage, deliveredTree, serverPackage } from '../sbom/shipped.ts';
import { controlText } from './control.ts';
import { isShipped } from './shipped-files.ts';

const product = 'usr/lib/tocsin';

/** Files of `packaging/deb`, and where they are installed. */
const placed: Readonly<Record<string, string>> = {
  'tocsin.service': 'usr/lib/systemd/system/tocsin.service',
  'tocsin.sysusers': 'usr/lib/sysusers.d/tocsin.conf',
  'tocsin.env': 'etc/tocsin/tocsin.env',
  tocsin: 'usr/bin/tocsin',
  'tocsin-create-database': 'usr/sbin/tocsin-create-database',
  copyright: 'usr/share/doc/tocsin/copyright',
  conffiles: 'DEBIAN/conffiles',
  postinst: 'DEBIAN/postinst',
  prerm: 'DEBIAN/prerm',
  postrm: 'DEBIAN/postrm',
};

const programs = [
  `${product}/bin/node`,
  `${product}/create-database.sh`,
  'usr/bin/tocsin',
  'usr/sbin/tocsin-create-database',
  'DEBIAN/postinst',
  'DEBIAN/prerm',
  'DEBIAN/postrm',
];

export type Staging = { readonly version: string; readonly architecture: string; readonly node: string };

/** Puts everything that the package installs into a folder, as dpkg-deb wants it. The project must be built. */
export function stagePackage(root: string, stage: string, { version, architecture, node }: Staging): void {
  copyProduct(root, join(stage, product), version);
  for (const [from, to] of [
    ...Object.entries(placed).map(([file, to]) => [`packaging/deb/${file}`, to] as const),
    ['create-database.sh', `${product}/create-database.sh`] as const,
    ['sbom.cdx.json', 'usr/share/doc/tocsin/sbom.cdx.json'] as const,
  ])
    copy(join(root, from), join(stage, to));
  copy(node, join(stage, product, 'bin/node'));
  const changelog = gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 });
  writeFileSync(join(stage, 'usr/share/doc/tocsin/changelog.gz'), changelog);
  const installedKib = setModes(stage);
  const control = join(stage, 'DEBIAN/control');
  writeFileSync(control, controlText({ version, architecture, installedKib }));
  chmodSync(control, 0o644);
}

/** The command line with the server, the packages that they need according to the lock file, and the built console. */
function copyProduct(root: string, target: string, version: string): void {
  const tree = deliveredTree(readLock(join(root, 'package-lock.json')));
  for (const path of tree) {
    const [own, name = ''] = path.split('/');
    if (own !== 'packages' || path.includes('node_modules/')) copyPackage(root, target, path);
    else if (name !== 'console') copyOwnPackage(root, target, name);
  }
  const console = 'packages/console/dist';
  if (!existsSync(join(root, console, 'index.html')))
    throw new Error('The console is not built: npm run build');
  cpSync(join(root, console), join(target, console), { recursive: true });
  for (const folder of [serverPackage, commandLinePackage]) setVersion(join(target, folder), version);
}

function setVersion(folder: string, version: string): void {
  const manifest = join(folder, 'package.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, `${JSON.stringify({ ...content, version }, null, 2)}\n`);
}

/** A package of others, without the packages inside it, which the lock file lists on their own. */
function copyPackage(root: string, target: string, path: string): void {
  const from = join(root, path);
  if (!existsSync(from)) throw new Error(`${path} is not installed: npm ci`);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = relative(from, join(entry.parentPath, entry.name));
    if (!entry.isFile() || file.startsWith('node_modules/') || !isShipped(file)) continue;
    copy(join(from, file), join(target, path, file));
  }
}

/** One of our packages: what it publishes, and the link by which the others find it. */
function copyOwnPackage(root: string, target: string, name: string): void {
  const folder = `packages/${name}`;
  if (!existsSync(join(root, folder, 'dist'))) throw new Error(`${folder} is not built: npm run build`);
  const parts = ['package.json', 'dist', 'migrations', 'data'].filter((part) =>
    existsSync(join(root, folder, part)),
  );
  for (const part of parts)
    cpSync(join(root, folder, part), join(target, folder, part), {
      recursive: true,
      filter: (path) => !/\.(map|d\.ts|tsbuildinfo|md)$/.test(path),
    });
  if (folder === commandLinePackage) return;
  mkdirSync(join(target, 'node_modules/@tocsin'), { recursive: true });
  symlinkSync(`../../${folder}`, join(target, `node_modules/@tocsin/${name}`));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** Gives every file the rights of the package, whatever those of the builder are. Returns the size in KiB. */
function setModes(stage: string): number {
  let bytes = 0;
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { size } = lstatSync(path);
    bytes += entry.isFile() ? size : 4_096;
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, modeOf(relative(stage, path)));
  }
  chmodSync(stage, 0o755);
  return Math.ceil(bytes / 1_024);
}

function modeOf(path: string): number {
  if (path === placed['tocsin.env']) return 0o640;
  return programs.includes(path) ? 0o755 : 0o644;
}
