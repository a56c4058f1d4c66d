import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowedMs } from '../harness/judged-times.ts';
import { type BootedMachine, bootMachine } from '../harness/packaging/booted-machine.ts';
import { needPrograms, run } from '../harness/packaging/commands.ts';
import { makeDebian } from '../harness/packaging/debian-root.ts';

const systemd = ['systemd', 'systemd-sysv', 'dbus', 'init-system-helpers'];
const packages = [...systemd, 'ca-certificates', 'libstdc++6', 'postgresql', 'curl', 'iproute2'];

let folder = '';
let machine: BootedMachine;

/** Builds the package in a version and copies it into the machine. Returns its path there. */
async function addPackage(version: string): Promise<string> {
  const args = ['run', '--silent', 'deb', '--', folder, '--version', version, '--fast'];
  const file = await run('npm', args);
  await cp(file, join(folder, 'root/opt', basename(file)));
  return `/opt/${basename(file)}`;
}

const shell = (command: string) => machine.shell(command);
const statusOf = (path: string) =>
  shell(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080${path} || true`);
/** Throws if the server does not run: `kill -9 0` would end the test itself. */
async function mainPid(): Promise<number> {
  const pid = Number(await shell('systemctl show --property MainPID --value tocsin'));
  if (pid === 0) throw new Error('the server does not run');
  return pid;
}

/** Waits until the server is ready and returns the time that took. */
async function untilReady(): Promise<number> {
  const started = performance.now();
  while ((await statusOf('/readyz')) !== '200') {
    if (performance.now() - started > 60_000)
      throw new Error(
        `not ready after 60 s:\n${await shell('journalctl --unit tocsin --no-pager | tail -n 40')}`,
      );
    await sleep(100);
  }
  return performance.now() - started;
}

const login = (password: string) =>
  shell(
    `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/api/v1/auth/login -d grant_type=password -d username=admin -d password='${password}'`,
  );

beforeAll(async () => {
  needPrograms({ mmdebstrap: 'mmdebstrap', 'systemd-nspawn': 'systemd-container', 'dpkg-deb': 'dpkg' });
  folder = await mkdtemp(join(tmpdir(), 'tocsin-deb-'));
  // apt downloads as a user of its own.
  await chmod(folder, 0o755);
  const root = join(folder, 'root');
  await makeDebian(root, packages);
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  machine = await bootMachine(root);
});

afterAll(async () => {
  await machine?.powerOff();
  await rm(folder, { recursive: true, force: true });
});

test('two builds of the same day are the same file', async () => {
  const sums: string[] = [];
  for (const name of ['one', 'other']) {
    const args = ['run', '--silent', 'deb', '--', join(folder, name), '--fast'];
    const file = await run('npm', args, { env: { SOURCE_DATE_EPOCH: '1763424000' } });
    sums.push((await run('sha256sum', [file])).split(' ')[0] ?? '');
  }
  expect(sums[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(sums[0]).toBe(sums[1]);
});

test('the package is installed without a server that fails, and says how to get a database', async () => {
  const file = await addPackage('0.2.0');
  const said = await shell(`dpkg --install ${file} 2>&1`);
  expect(said).toContain('Run `tocsin-create-database` as root');
  expect(await shell('systemctl is-enabled tocsin')).toBe('enabled');
  expect(await shell('systemctl is-active tocsin || true')).toBe('inactive');
  expect(await shell("stat -c '%a %U:%G' /etc/tocsin /etc/tocsin/tocsin.env")).toBe(
    '750 root:tocsin\n640 root:tocsin',
  );
  const help = await shell('tocsin help');
  for (const command of ['create-tenant', 'watch', 'apply']) expect(help).toContain(command);
  expect(await shell('tocsin --version')).toBe('tocsin 0.2.0');
});

test('one command creates the database and starts the server, as its own user and login', async () => {
  expect(await shell('tocsin-create-database')).toContain('journalctl --unit tocsin');
  const readyMs = await untilReady();
  console.log(`ready ${Math.round(readyMs)} ms after the database was created`);
  expect(await shell(`stat -c %U /proc/${await mainPid()}`)).toBe('tocsin');
  const logins = await shell(
    `runuser -u postgres -- psql -Atc "select distinct usename from pg_stat_activity where datname = 'tocsin' and usename <> 'postgres'"`,
  );
  expect(logins).toBe('tocsin_server');
  expect(await statusOf('/')).toBe('200');
  await expect(shell('tocsin-create-database')).rejects.toThrow('Nothing was changed');
});

test('the code in the journal creates the first administrator', async () => {
  const journal = await shell('journalctl --unit tocsin --no-pager --output cat');
  const [, code] = /"code":"([^"]+)"/.exec(journal) ?? [];
  const body = JSON.stringify({ code, username: 'admin', password: 'correct horse battery staple' });
  expect(
    await shell(
      `curl -s http://127.0.0.1:8080/api/v1/setup -H 'Content-Type: application/json' -d '${body}'`,
    ),
  ).toBe('1');
  expect(await login('correct horse battery staple')).toBe('200');
});

test('root raises an alarm by the command line, with a password that only root can read', async () => {
  await shell("umask 077; printf %s 'correct horse battery staple' >/opt/password");
  const login = '--user admin --password-file /opt/password';
  expect(await shell(`tocsin raise North.Pump1.Stopped --message 'Pump 1 has stopped' ${login}`)).toBe('1');
  expect(await shell(`tocsin export --sections tags ${login}`)).toContain('North.Pump1.Stopped');
});

test('the service is protected: systemd rates its exposure below 2 of 10', async () => {
  const rating = await shell('systemd-analyze security --no-pager tocsin.service | tail -n 1');
  const [, exposure = '10'] = /exposure level for tocsin\.service: ([\d.]+)/.exec(rating) ?? [];
  console.log(rating);
  expect(Number(exposure)).toBeLessThan(2);
  expect(await shell('systemd-analyze verify tocsin.service 2>&1')).toBe('');
});

test('a killed server is back within 5 s', async () => {
  const before = await mainPid();
  const killed = performance.now();
  await shell(`kill -9 ${before}`);
  await expect.poll(() => mainPid().catch(() => before)).not.toBe(before);
  await untilReady();
  const backMs = performance.now() - killed;
  console.log(`back ${Math.round(backMs)} ms after kill -9`);
  expect(backMs).toBeLessThan(allowedMs(5_000));
});

test('an upgrade restarts the server in the new version, and keeps settings, key and data', async () => {
  await shell("sed -i 's/^PORT=8080$/PORT=8080\\nLOG_LEVEL=debug/' /etc/tocsin/tocsin.env");
  const key = await shell('sha256sum /var/lib/tocsin/secrets-key /etc/tocsin/*');
  const before = await mainPid();
  const file = await addPackage('0.2.1');
  const started = performance.now();
  await shell(`dpkg --install ${file}`);
  await untilReady();
  console.log(`upgraded in ${Math.round(performance.now() - started)} ms`);
  expect(await mainPid()).not.toBe(before);
  expect(await shell("dpkg-query --show --showformat='${Version}' tocsin")).toBe('0.2.1');
  expect(
    await shell('journalctl --unit tocsin --no-pager --output cat | grep "server started" | tail -n 1'),
  ).toContain('"version":"0.2.1"');
  expect(await shell('sha256sum /var/lib/tocsin/secrets-key /etc/tocsin/*')).toBe(key);
  expect(await shell("stat -c '%a %U:%G' /etc/tocsin/tocsin.env")).toBe('640 root:tocsin');
  expect(await login('correct horse battery staple')).toBe('200');
});

test('after a removal no process is left, and settings and state stay', async () => {
  await shell('dpkg --remove tocsin');
  expect(await shell('find /proc -maxdepth 1 -user tocsin')).toBe('');
  expect(await shell('ls /usr/lib/tocsin 2>/dev/null || true')).toBe('');
  expect(await shell('ls /etc/tocsin /var/lib/tocsin')).toContain('secrets-key');
});

test('a purge removes settings and state, keeps the database, and says so', async () => {
  const said = await shell('dpkg --purge tocsin');
  expect(said).toContain('Its database was not touched');
  expect(await shell('ls -d /etc/tocsin /var/lib/tocsin 2>/dev/null || true')).toBe('');
  expect(await shell("stat -c '%a %U' /var/backups/tocsin-secrets-key-*")).toBe('600 root');
  const alarms = `runuser -u postgres -- psql -Atc 'select count(*) > 0 from tenants' tocsin`;
  expect(await shell(`cd / && ${alarms}`)).toBe('t');
});

test('the machine shuts down in order', async () => {
  expect(await machine.powerOff()).toBe(0);
});
