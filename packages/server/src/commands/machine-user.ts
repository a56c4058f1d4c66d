import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RunnerUser } from './entry-faults.ts';

const searchPath = ['/usr/bin', '/bin'];
const pathOf = (program: string) =>
  searchPath.map((folder) => `${folder}/${program}`).find((path) => existsSync(path));

/** The user of this process, and the tools to run programs as another user. */
export function machineUser(): RunnerUser {
  const cache = new Map<string, { uid: number; gid: number } | undefined>();
  return {
    uid: process.getuid?.() ?? -1,
    setpriv: pathOf('setpriv'),
    prlimit: pathOf('prlimit'),
    find: (name) => {
      if (!cache.has(name)) cache.set(name, lookUp(name));
      return cache.get(name);
    },
  };
}

function lookUp(name: string): { uid: number; gid: number } | undefined {
  const { stdout } = spawnSync('/usr/bin/getent', ['passwd', '--', name], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  const [found, , uid, gid] = (stdout ?? '').trim().split(':');
  return found === name ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
