/** Where a member lives. */
export type MemberPlace = { name: string; folder: string; restPort: number; port: number; bin: string };

/** Seconds. `loop_wait + 2 * retry_timeout` must not exceed `ttl`. */
const timers = { ttl: 10, loop_wait: 2, retry_timeout: 3 };

const parameters = {
  synchronous_commit: 'on',
  wal_retrieve_retry_interval: '500ms',
  wal_level: 'replica',
  hot_standby: 'on',
  wal_log_hints: 'on',
  max_wal_senders: 10,
  max_replication_slots: 10,
  wal_keep_size: '256MB',
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  max_connections: 120,
  shared_buffers: '64MB',
};

const roles = {
  superuser: { username: 'postgres', password: 'of-the-test' },
  replication: { username: 'replicator', password: 'of-the-test' },
  rewind: { username: 'rewinder', password: 'of-the-test' },
};

/**
 * The configuration of docs/high-availability.md with short timers and without TLS. JSON, which every reader of YAML
 * understands.
 */
export function patroniSettings(
  { name, folder, restPort, port, bin }: MemberPlace,
  etcdHosts: string,
): string {
  const dcs = {
    ...timers,
    primary_start_timeout: 0,
    synchronous_mode: true,
    synchronous_mode_strict: true,
    synchronous_node_count: 1,
    failsafe_mode: true,
    postgresql: { use_pg_rewind: true, use_slots: true, parameters },
  };
  const settings = {
    scope: 'tocsin',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // Not `etcd3`: with Patroni 3.0.2 a primary that wakes up may overwrite the lock of its successor there.
    etcd: { hosts: etcdHosts },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: `${folder}/data`,
      bin_dir: bin,
      pgpass: `${folder}/pgpass`,
      authentication: roles,
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
    watchdog: { mode: 'off' },
  };
  return JSON.stringify(settings, undefined, 2);
}

/** HAProxy leads the port to whichever member calls itself primary. */
export function haproxySettings(port: number, members: readonly MemberPlace[]): string {
  const servers = members.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  );
  return `global
  maxconn 2000
defaults
  mode tcp
  retries 0
  timeout connect 3s
  timeout client 24h
  timeout server 24h
  timeout check 2s
  option clitcpka
  option srvtcpka
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
