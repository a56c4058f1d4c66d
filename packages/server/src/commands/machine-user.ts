import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RunnerUser } from './entry-faults.ts';

const folders = ['/usr/bin', '/bin'];
const placeOf = (program: string) =>
  folders.map((folder) => `${folder}/${program}`).find((place) => existsSync(place));

/** Who this process is, and whom it can run programs as. */
export function machineUser(): RunnerUser {
  const known = new Map<string, { uid: number; gid: number } | undefined>();
  return {
    uid: process.getuid?.() ?? -1,
    setpriv: placeOf('setpriv'),
    prlimit: placeOf('prlimit'),
    find: (name) => {
      if (!known.has(name)) known.set(name, lookUp(name));
      return known.get(name);
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
