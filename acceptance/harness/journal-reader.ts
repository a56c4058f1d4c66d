import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectSql } from './sql.ts';

export type JournalRow = {
  seq: number;
  kind: string;
  tagId: number;
  occurrenceId: number;
  detail: string;
  /** State of the alarm after the change. */
  state: number;
  value: string;
};

const pollMs = 3;
const batch = 500;

/** Reads a tenant's journal by `seq > last` with SQL of its own, independent of the server. */
export class JournalReader {
  readonly rows: JournalRow[] = [];
  /** Polls that found new entries. */
  finds = 0;
  readonly #client: pg.Client;
  readonly #tenantId: number;

  private constructor(client: pg.Client, tenantId: number) {
    this.#client = client;
    this.#tenantId = tenantId;
  }

  static async open(databaseUrl: string, tenantId: number): Promise<JournalReader> {
    const client = await connectSql(databaseUrl, '-c role=tocsin_app');
    await client.query("select set_config('tocsin.tenant', $1, false)", [String(tenantId)]);
    return new JournalReader(client, tenantId);
  }

  get last(): number {
    return this.rows.at(-1)?.seq ?? 0;
  }

  /** Reads until `isDone` and no entry is left. Throws at a gap in the sequence. */
  async follow(isDone: () => boolean): Promise<void> {
    for (;;) {
      const done = isDone();
      const found = await this.#readOn();
      if (found > 0) this.finds += 1;
      else if (done) return;
      await sleep(pollMs);
    }
  }

  async #readOn(): Promise<number> {
    const { rows } = await this.#client.query<JournalRow>({
      name: 'read-on',
      text: `select seq::integer, kind, tag_id::integer as "tagId", occurrence_id::integer as "occurrenceId", detail,
               (alarm->>'state')::integer as state, alarm->>'value' as value
             from journal where tenant_id = $1 and seq > $2 order by seq limit ${batch}`,
      values: [this.#tenantId, this.last],
    });
    for (const row of rows) {
      if (row.seq !== this.last + 1) {
        throw new Error(`tenant ${this.#tenantId}: after ${this.last} the journal went on with ${row.seq}`);
      }
      this.rows.push(row);
    }
    return rows.length;
  }
}

/** Bits 0 and 1 of each alarm as the journal implies them, by tag; throws when an entry contradicts those before. */
export function replay(rows: readonly JournalRow[]): Map<number, number> {
  const states = new Map<number, number>();
  for (const { seq, kind, tagId, state } of rows) {
    const before = states.get(tagId) ?? 0;
    const after = apply(before, kind);
    if ((state & 3) !== after) throw new Error(`entry ${seq}: ${kind} made ${before} into ${state}`);
    states.set(tagId, after);
  }
  return states;
}

function apply(before: number, kind: string): number {
  if (kind === 'raised') return 3;
  if (kind === 'acknowledged') return before & ~2;
  if (kind === 'reset') return before & ~1;
  return before;
}
