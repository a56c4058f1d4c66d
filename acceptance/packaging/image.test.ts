import { existsSync, globSync, readFileSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readServices, type Service } from '../../tools/compose-file.ts';
import { type PostgresCluster, startCluster } from '../../tools/postgres-cluster.ts';
import { productionTree, readLock } from '../../tools/sbom/lock-file.ts';
import { deliveredTree, serverPackage } from '../../tools/sbom/shipped.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { buildImage, copyCheckout, type Image, makeBase, openBuildah } from '../harness/packaging/buildah.ts';
import { needPrograms, projectFolder, run } from '../harness/packaging/commands.ts';
import {
  type Container,
  runContainer,
  type Surroundings,
  startContainer,
} from '../harness/packaging/container.ts';

const composeFile = join(projectFolder, 'compose.yaml');
const services = readServices(composeFile);
const url = 'http://127.0.0.1:8080';
const buildMs = 40 * 60_000;
/** A text in files that must not reach the image. */
const decoy = 'd0-not-ship-this-secret';
const decoys = ['.env', '.admin-password', '.tocsin/owner-url', 'secrets/server-url', 'packages/server/.env'];

let folder = '';
let image: Image;
let cluster: PostgresCluster;
let surroundings: Surroundings;
let server: Container;

const service = (name: string): Service => services[name] ?? {};
const inImage = (path: string) => join(image.root, path);
const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');

/** Creates the secrets with the commands at the top of compose.yaml. */
async function createSecrets(): Promise<void> {
  const [, commands = ''] =
    /^# Create the secrets first[^\n]*\n([^]*?)^# Write the images/m.exec(
      readFileSync(composeFile, 'utf8'),
    ) ?? [];
  const lines = commands.match(/^# {3}.*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(5);
  await run('sh', ['-ec', lines.map((line) => line.slice(1)).join('\n')], { cwd: folder });
  // The database is not in the network of the container, so its socket is used.
  for (const name of ['owner-url', 'server-url'])
    await appendFile(join(folder, 'secrets', name), `?host=/run/postgresql&port=${cluster.port}`);
  await run('chown', ['--recursive', '1000:1000', join(folder, 'secrets')]);
}

async function createDatabase(): Promise<void> {
  const { OWNER_PASSWORD_FILE = '', SERVER_PASSWORD_FILE = '' } = service('database').environment ?? {};
  const local = (place: string | number) => String(place).replace('/run/secrets', join(folder, 'secrets'));
  const env = {
    PGHOST: '127.0.0.1',
    PGPORT: String(cluster.port),
    PGUSER: 'postgres',
    OWNER_PASSWORD_FILE: local(OWNER_PASSWORD_FILE),
    SERVER_PASSWORD_FILE: local(SERVER_PASSWORD_FILE),
  };
  await run('sh', [join(projectFolder, 'create-database.sh')], { env });
}

beforeAll(async () => {
  needPrograms({
    buildah: 'buildah',
    mmdebstrap: 'mmdebstrap',
    'systemd-nspawn': 'systemd-container',
    curl: 'curl',
  });
  folder = await mkdtemp(join(tmpdir(), 'tocsin-image-'));
  await chmod(folder, 0o755);
  const buildah = openBuildah(folder);
  const started = performance.now();
  await makeBase(buildah, folder);
  const baseMs = performance.now() - started;
  const checkout = join(folder, 'checkout');
  await copyCheckout(checkout);
  for (const path of decoys) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), decoy);
  }
  image = await buildImage(buildah, checkout);
  const totalMs = performance.now() - started;
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const own = Number((await run('du', ['--summarize', '--bytes', inImage('tocsin')])).split('\t')[0]);
  console.log(
    `base ${Math.round(baseMs)} ms, image ${Math.round(totalMs - baseMs)} ms; ${megabytes(image.bytes)}, of which ${megabytes(own)} are Tocsin`,
  );
  cluster = await startCluster({ durable: true });
  await createSecrets();
  await createDatabase();
  surroundings = {
    folders: { '/run/secrets': join(folder, 'secrets'), '/run/postgresql': cluster.folder },
    variables: { PUBLIC_URL: 'https://tocsin.example' },
  };
}, buildMs);

afterAll(async () => {
  await server?.stop();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

test('the image has the packages that a server needs, and no development tool', () => {
  const installed = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: inImage('tocsin') })
    .map(dirname)
    .filter((path) => !path.includes('@tocsin/'));
  const lock = readLock(join(projectFolder, 'package-lock.json'));
  const needed = productionTree(lock, serverPackage).filter((path) => path.includes('node_modules/'));
  expect(needed.length).toBeGreaterThan(50);
  expect(needed.filter((path) => !installed.includes(path))).toEqual([]);
  // npm also installs packages of the client, because they are development dependencies of the server at the same time.
  const delivered = deliveredTree(lock);
  expect(installed.filter((path) => !delivered.includes(path))).toEqual([]);
  console.log(`${needed.length} packages of the server, ${installed.length - needed.length} of the client`);
});

test('of the project the image has built files only: no sources, no tests, no maps, no other program', () => {
  const files = globSync('packages/**/*', { cwd: inImage('tocsin') });
  expect(files).toContain('packages/server/dist/main.js');
  expect(files).toContain('packages/help/dist/index.html');
  expect(files).toContain('packages/console/dist/index.html');
  expect(
    files.filter((file) => /\.tsx?$|\.(test|fixture)\.|\.map$|tsbuildinfo|\/testing\//.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => /^packages\/[^/]+\/(src|site|public)$|^packages\/cli/.test(file))).toEqual(
    [],
  );
  for (const name of ['docs', 'tools', 'acceptance', 'bench', '.git', '.npmrc'])
    expect(existsSync(inImage(`tocsin/${name}`)), name).toBe(false);
});

test('no secret of the folder that it was built in is in the image', async () => {
  const places = ['tocsin', 'root', 'home', 'tmp', 'etc', 'run'].map(inImage);
  const found = await run('grep', ['--recursive', '--files-with-matches', decoy, ...places]).catch(() => '');
  expect(found).toBe('');
  // The search finds the decoys where they are.
  const here = await run('grep', [
    '--recursive',
    '--files-with-matches',
    decoy,
    join(folder, 'checkout/secrets'),
  ]);
  expect(here).toContain('server-url');
});

test('compose.yaml runs the image as the image wants to be run', () => {
  const [user = ''] = readFileSync(inImage('etc/passwd'), 'utf8').match(/^node:.*$/m) ?? [];
  expect(image.config).toMatchObject({ User: 'node', StopSignal: 'SIGTERM', WorkingDir: '/tocsin' });
  for (const name of ['migrate', 'server']) {
    expect(service(name).entrypoint, 'the one of the image').toBeUndefined();
    expect(user.split(':').slice(2, 4).join(':')).toBe(service(name).user);
  }
  const [published = ''] = service('server').ports ?? [];
  expect(Object.keys(image.config.ExposedPorts)).toEqual([`${published.split(':').at(-1)}/tcp`]);
});

test('the service `migrate` creates the tables as the owner of the database, and ends with 0', async () => {
  const { code, printed } = await runContainer(image, service('migrate'), surroundings);
  expect(code, printed).toBe(0);
});

test('a health check fails where no server runs', async () => {
  const [, ...command] = image.config.Healthcheck.Test;
  const checking = { ...service('server'), entrypoint: command };
  expect((await runContainer(image, checking, surroundings)).code).toBe(1);
});

test('the service `server` is ready, and takes an alarm of the first administrator', async () => {
  const started = performance.now();
  server = await startContainer(image, service('server'), surroundings);
  const status = (path: string) =>
    server
      .inNetwork('curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}', `${url}${path}`)
      .catch(() => '0');
  await expect.poll(() => status('/readyz'), { timeout: 120_000, interval: 200 }).toBe('200');
  console.log(`ready ${Math.round(performance.now() - started)} ms after the start of the container`);
  const form = ['grant_type=password', 'username=admin', `password=${secret('admin-password')}`];
  const answer = await server.inNetwork(
    'curl',
    '--silent',
    ...form.flatMap((part) => ['--data', part]),
    `${url}/api/v1/auth/login`,
  );
  const { access_token: token } = JSON.parse(answer) as { access_token: string };
  const ask = (...args: string[]) =>
    server.inNetwork('curl', '--silent', '--header', `Authorization: Bearer ${token}`, ...args);
  const body = JSON.stringify({ path: 'North.Pump1.Stopped', alarmMessage: 'Pump 1 has stopped' });
  const json = ['--header', 'Content-Type: application/json'];
  expect(await ask(...json, '--data', body, `${url}/api/v1/alarms`)).toBe('1');
  expect(await ask(`${url}/api/v1/alarms`)).toContain('Pump 1 has stopped');
  expect(await status('/')).toBe('200');
  expect(await status('/help/')).toBe('200');
});

test('the process has no rights: not root, no capability, nothing to write to but /tmp', async () => {
  const processStatus = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  expect(processStatus).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
  expect(processStatus).toMatch(/^CapEff:\t0+$/m);
  expect(processStatus).toMatch(/^CapBnd:\t0+$/m);
  expect(processStatus).toMatch(/^NoNewPrivs:\t1$/m);
  const mounts = readFileSync(`/proc/${server.pid}/mounts`, 'utf8');
  expect(mounts).toMatch(/^\S+ \/ \S+ ro[, ]/m);
  expect(await server.execute(['sh', '-c', 'touch /tmp/allowed && ls /tmp/allowed'])).toBe('/tmp/allowed');
  await expect(server.execute(['touch', '/tocsin/refused'])).rejects.toThrow('Read-only file system');
});

test('the health checks of the image and of compose.yaml pass while it serves', async () => {
  for (const [kind, ...command] of [
    image.config.Healthcheck.Test,
    service('server').healthcheck?.test ?? [],
  ]) {
    expect(kind).toBe('CMD');
    await server.execute(command);
  }
});

test('`check` finds no error: the key is a secret of compose.yaml and needs no folder', async () => {
  const command = `${image.config.Entrypoint.join(' ')} check --json || true`;
  const { findings } = JSON.parse(await server.execute(['sh', '-c', command])) as {
    findings: { severity: string; name: string }[];
  };
  const namesOf = (severity: string) =>
    findings.filter((finding) => finding.severity === severity).map(({ name }) => name);
  console.log(`warnings: ${namesOf('warning').join(', ')}`);
  expect(namesOf('error')).toEqual([]);
  expect(namesOf('ok')).toEqual(expect.arrayContaining(['database', 'schema', 'secrets']));
});

test.for(['baresip', 'espeak-ng', 'sox'])('%s, which telephone calls need, is there', async (program) => {
  expect(await server.execute(['sh', '-c', `command -v ${program}`])).toBe(`/usr/bin/${program}`);
});

test('it ends with 0 before the time that compose.yaml allows is over', async () => {
  const started = performance.now();
  expect(await server.stop()).toBe(0);
  const ms = performance.now() - started;
  console.log(`ended ${Math.round(ms)} ms after SIGTERM`);
  expect(ms).toBeLessThan(allowedMs(10_000));
});
