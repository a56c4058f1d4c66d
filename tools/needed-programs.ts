import { existsSync } from 'node:fs';

/** Programs of long tests that a machine for development may lack, with their Debian packages. */
const packages = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/pgbackrest': 'pgbackrest',
  '/usr/bin/java': 'default-jdk-headless',
  '/usr/bin/mcs': 'mono-mcs',
  '/usr/bin/mono': 'mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
} as const;

export type NeededProgram = keyof typeof packages;

/** The Debian packages of the programs that are missing here. */
export function missingPackages(programs: readonly NeededProgram[]): string[] {
  return programs.flatMap((program) => (existsSync(program) ? [] : packages[program]));
}

export function requirePrograms(...programs: NeededProgram[]): void {
  const missing = missingPackages(programs);
  if (missing.length > 0) throw new Error(`Missing programs: apt-get install ${missing.join(' ')}`);
}
