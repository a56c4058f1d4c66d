import { join } from 'node:path';
import { freePort, type PostgresCluster } from '../../tools/postgres-cluster.ts';

/** A second PostgreSQL that follows the first one and can take over. */
export type Standby = {
  readonly port: number;
  /** Makes it the primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

export async function startStandby(cluster: PostgresCluster): Promise<Standby> {
  const data = join(cluster.folder, 'standby');
  const port = await freePort();
  const from = ['-h', '127.0.0.1', '-p', String(cluster.port), '-U', 'postgres'];
  await cluster.run('pg_basebackup', [...from, '-D', data, '-R', '-c', 'fast', '--no-sync']);
  const options = [
    `port=${port}`,
    "listen_addresses='127.0.0.1'",
    `unix_socket_directories='${cluster.folder}'`,
    // A standby needs at least as many as the primary.
    'max_connections=200',
  ].flatMap((option) => ['-c', option]);
  const log = join(cluster.folder, 'standby.log');
  const control = (...args: string[]) => cluster.run('pg_ctl', ['-D', data, '-w', ...args]);
  await control('-l', log, '-o', options.join(' '), 'start');
  return {
    port,
    promote: async () => void (await control('promote')),
    stop: async () => void (await control('-m', 'immediate', 'stop').catch(() => undefined)),
  };
}
