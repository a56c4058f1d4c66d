import type pg from 'pg';
import type { Database } from '../postgres/database.ts';

/** What one statement took, in all calls. */
export type StatementFigures = {
  /** The shortest time of a call, in milliseconds. */
  bestMs: number;
  /** The most tables, partitions and indexes that a call locked, besides those its transaction had locked before. */
  locks: number;
  /** The months of partitions that it locked, such as `occurrences_2026_11`. */
  readonly months: Set<string>;
};

type Query = (config: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

/**
 * Measures every statement that is sent in a transaction. It runs it `repeat` times in a subtransaction that is rolled
 * back, and then for good: so the statement always meets the rows it is meant for.
 */
export class StatementMeter {
  readonly figures = new Map<string, StatementFigures>();
  /** Names statements that have no name of their own. */
  label = '';
  readonly #repeat: number;

  constructor({ pool, alarmPool }: Database, repeat: number) {
    this.#repeat = repeat;
    for (const one of [pool, alarmPool]) one.on('connect', (client) => this.#attach(client));
  }

  #attach(client: pg.PoolClient): void {
    const send = client.query.bind(client) as unknown as Query;
    let last: Promise<unknown> = Promise.resolve();
    let isOpen = false;
    const query: Query = (config, values) => {
      const text = typeof config === 'string' ? config : config.text;
      const isControl = /^\s*(begin|commit|rollback|set )/.test(text);
      if (/^\s*begin/.test(text)) isOpen = true;
      else if (isControl && !text.startsWith('set ')) isOpen = false;
      const isMeasured = isOpen && !isControl;
      const run = async () => {
        if (isMeasured) await this.#measure(send, config, values);
        return send(config, values);
      };
      const result = last.then(run, run);
      last = result.catch(() => undefined);
      return result;
    };
    Object.assign(client, { query });
  }

  async #measure(send: Query, config: string | pg.QueryConfig, values?: unknown[]): Promise<void> {
    const before = await lockedTables(send);
    for (let call = 0; call < this.#repeat; call += 1) {
      await send('savepoint meter');
      try {
        const started = performance.now();
        await send(config, values);
        const ms = performance.now() - started;
        const locked = call === 0 ? (await lockedTables(send)).filter((name) => !before.includes(name)) : [];
        this.#note(config, ms, locked);
      } catch {
        // It fails in the same way when it is sent for good.
      }
      await send('rollback to savepoint meter');
      await send('release savepoint meter');
    }
  }

  #note(config: string | pg.QueryConfig, ms: number, locked: readonly string[]): void {
    const { name, text } = typeof config === 'string' ? { name: undefined, text: config } : config;
    // Some names end with the month.
    const key =
      name?.replace(/-\d{4}-\d{2}$/, '') ?? `${this.label}: ${text.trim().split(/\s+/, 5).join(' ')}`;
    const figures = this.figures.get(key) ?? {
      bestMs: Number.POSITIVE_INFINITY,
      locks: 0,
      months: new Set(),
    };
    figures.bestMs = Math.min(figures.bestMs, ms);
    figures.locks = Math.max(figures.locks, locked.length);
    for (const table of locked)
      if (/^(occurrences|journal|acknowledgments)_(\d{4}_\d{2}|default)$/.test(table))
        figures.months.add(table);
    this.figures.set(key, figures);
  }
}

async function lockedTables(send: Query): Promise<string[]> {
  const { rows } = await send(
    `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relnamespace = 'public'::regnamespace`,
  );
  return [...new Set(rows.map(({ name }: { name: string }) => name))];
}
