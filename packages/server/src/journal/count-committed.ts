import { Counter, type Registry } from 'prom-client';
import type { JournalEntry } from './journal.store.ts';

type OnCommitted = (tenantId: number, entries: readonly JournalEntry[]) => void;

/** Counts the changes of alarms that this server has committed, by kind, and passes them on. */
export function countCommitted(registry: Registry, onCommitted: OnCommitted): OnCommitted {
  const counter = new Counter({
    name: 'tocsin_alarm_changes_total',
    help: 'Changes of alarms that this server has committed, by kind: raised, reset, acknowledged and so on.',
    labelNames: ['kind'],
    registers: [registry],
  });
  return (tenantId, entries) => {
    for (const { kind } of entries) counter.inc({ kind });
    onCommitted(tenantId, entries);
  };
}
