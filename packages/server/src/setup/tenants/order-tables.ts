import type { TenantTable } from './tenant-catalog.store.ts';

/**
 * Tables that triggers of other tables write. Their rows are restored after those of the other tables, and replace what
 * the triggers have written meanwhile.
 */
const writtenByTriggers: Readonly<Record<string, readonly string[]>> = {
  channel_health: ['channels'],
  channel_listeners: ['channels'],
  system_alarms: ['sessions'],
  station_days: ['occurrences'],
  group_days: ['occurrences'],
  chatter_days: ['occurrences'],
  tag_raises: ['occurrences'],
  acknowledgments: ['occurrences'],
  recent_alarms: ['alarms'],
};

/** Triggers of most tables write it, so it is restored last. */
const lastTable = 'configuration_versions';

/** Tables that are not exported, and the reason: their rows have no meaning in another database. */
export const leftOut: Readonly<Record<string, string>> = {
  call_events: 'pushed to clients within the hour, and numbered by the transactions of this database',
};

type Ordered = Pick<TenantTable, 'name' | 'refersTo'>;

/** The tables in an order in which rows can be inserted: each after those it refers to. */
export function orderTables<Table extends Ordered>(tables: readonly Table[]): Table[] {
  const waiting = tables.filter(({ name }) => name !== lastTable);
  const ordered: Table[] = [];
  while (waiting.length > 0) {
    const isWaiting = (name: string) => waiting.some((table) => table.name === name);
    const next = waiting.findIndex((table) => !needs(table).some(isWaiting));
    if (next === -1)
      throw new Error(`these tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    ordered.push(...waiting.splice(next, 1));
  }
  return [...ordered, ...tables.filter(({ name }) => name === lastTable)];
}

function needs({ name, refersTo }: Ordered): string[] {
  return [...refersTo, ...(writtenByTriggers[name] ?? [])].filter((other) => other !== name);
}

/** Whether triggers may have written rows before those of the export are inserted. */
export function isWrittenByTriggers(name: string): boolean {
  return name === lastTable || Object.hasOwn(writtenByTriggers, name);
}
