import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './commands.ts';
import { makeDebian } from './debian-root.ts';

/** The members of an image's configuration that decide how it is run. */
export type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

export type Image = {
  readonly config: ImageConfig;
  /** The folder with the files of the image. */
  readonly root: string;
  readonly bytes: number;
};

const baseName = 'localhost/tocsin-base:test';
const imageName = 'localhost/tocsin:test';

export type Buildah = (command: string, ...args: string[]) => Promise<string>;

/** Buildah with a store of its own in a folder. It needs neither a service nor a registry. */
export function openBuildah(folder: string): Buildah {
  const store = [
    '--storage-driver',
    'vfs',
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
  ];
  return (command, ...args) =>
    run('buildah', [...store, command, ...args], { env: { BUILDAH_ISOLATION: 'chroot' } });
}

/** Files that npm in the base needs to reach the registry of this machine; a build elsewhere has its own settings. */
async function writeNpmSettings(folder: string): Promise<void> {
  await mkdir(folder);
  const registry = await run('npm', ['config', 'get', 'registry']);
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  if (authorities) await copyFile(authorities, join(folder, 'authorities.pem'));
  const cafile = authorities ? 'cafile=/usr/local/etc/authorities.pem\n' : '';
  await writeFile(join(folder, 'npmrc'), `registry=${registry}\n${cafile}`);
}

/** Makes the base of the image: a plain Debian with the Node.js that runs this test, in place of the official image. */
export async function makeBase(buildah: Buildah, folder: string): Promise<void> {
  const archive = join(folder, 'base.tar');
  const settings = join(folder, 'npm-settings');
  await makeDebian(archive, ['ca-certificates', 'libstdc++6']);
  await writeNpmSettings(settings);
  const npm = dirname(dirname(await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])));
  const container = await buildah('from', 'scratch');
  await buildah('add', container, archive, '/');
  await buildah('copy', container, process.execPath, '/usr/local/bin/node');
  await buildah('copy', container, npm, '/usr/local/lib/node_modules/npm');
  await buildah('copy', container, settings, '/usr/local/etc');
  const links = ['npm', 'npx'].map(
    (name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`,
  );
  const setUp = [...links, 'useradd --uid 1000 --create-home node'].join(' && ');
  await buildah('run', container, '--', 'sh', '-c', setUp);
  await buildah(
    'config',
    '--env',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    container,
  );
  await buildah('commit', '--quiet', '--rm', container, baseName);
}

/** Copies the files of the project, without those that git ignores, as a checkout has them. */
export async function copyCheckout(target: string): Promise<void> {
  await mkdir(target);
  const list = 'git ls-files -z --cached --others --exclude-standard';
  await run('sh', [
    '-ec',
    `${list} | tar --create --null --files-from=- | tar --extract --directory="$1"`,
    'sh',
    target,
  ]);
}

/** Builds the Dockerfile of a checkout, and opens the image. */
export async function buildImage(buildah: Buildah, checkout: string): Promise<Image> {
  const options = ['--quiet', '--format', 'docker', '--pull-never', '--network', 'host'];
  // The health check is a part of Docker's format only.
  await buildah('bud', ...options, '--build-arg', `NODE_IMAGE=${baseName}`, '--tag', imageName, checkout);
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', imageName)) as {
    Docker: { config: ImageConfig };
  };
  const container = await buildah('from', '--pull-never', imageName);
  const root = await buildah('mount', container);
  const bytes = Number((await run('du', ['--summarize', '--bytes', root])).split('\t')[0]);
  return { config: Docker.config, root, bytes };
}
