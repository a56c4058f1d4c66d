import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../../common/command-error.ts';

/** The user as which PostgreSQL runs; undefined for the user of this process. */
export type ProcessUser = { readonly name: string; readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root, so root lends it to one of these users, the first that the machine has. */
const userNames = ['postgres', 'nobody'];

/** The user for PostgreSQL, from the user of this process and the text of `/etc/passwd`. */
export function postgresUser(ownUid: number | undefined, passwd: string): ProcessUser | undefined {
  if (ownUid !== 0) return undefined;
  const users = passwd.split('\n').map((line) => line.split(':'));
  for (const wanted of userNames) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { name: wanted, uid: Number(uid), gid: Number(gid) };
  }
  throw new CommandError(
    'PostgreSQL does not run as root, and this machine has no user nobody. Start the demo as an ordinary user.',
  );
}

/** Throws if a folder around the path is closed to others, as the home of root is. */
export function requireOpenFolders(path: string, { name }: ProcessUser): void {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) !== 0) continue;
    throw new CommandError(
      `As root, PostgreSQL runs as the user ${name}, who may not enter ${folder}. Choose another folder with --dir, such as /var/lib/tocsin-demo, or start the demo as an ordinary user.`,
    );
  }
}
