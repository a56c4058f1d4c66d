import pg from 'pg';

/** The administrator of the database: sees and ends connections of the server, and changes settings. */
export type DatabaseOwner = {
  /** Changes a setting for new connections, such as `synchronous_commit = on`, and ends the present ones. */
  set(setting: string): Promise<void>;
  reset(name: string): Promise<void>;
  /** Connections whose commit waits for the standby. */
  waitingForStandby(): Promise<number>;
  endWaiting(): Promise<void>;
  close(): Promise<void>;
};

export async function openOwner(url: string): Promise<DatabaseOwner> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Its own changes must not wait for a standby.
  await client.query('set synchronous_commit = off');
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const name = rows[0]?.name ?? '';
  const others = 'datname = current_database() and pid <> pg_backend_pid()';
  const waiting = `${others} and wait_event = 'SyncRep'`;
  const end = (which: string) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${which}`);
  return {
    set: async (setting) => {
      await client.query(`alter database ${name} set ${setting}`);
      await end(others);
    },
    reset: async (setting) => {
      await client.query(`alter database ${name} reset ${setting}`);
      await end(others);
    },
    waitingForStandby: async () =>
      (await client.query(`select from pg_stat_activity where ${waiting}`)).rowCount ?? 0,
    endWaiting: async () => void (await end(waiting)),
    close: () => client.end(),
  };
}
