import type { ShiftSummary } from '@tocsin/contract';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { listFailedCalls, listRosterChanges } from './shift-calls.store.ts';
import {
  countRaised,
  findJournalRange,
  listOfKind,
  listOpen,
  listReturned,
  listTakers,
  type SummaryScope,
} from './shift-summary.store.ts';
import {
  listed,
  tellTimeIn,
  toFailedCall,
  toMaskChange,
  toOpenAlarm,
  toReturnedAlarm,
  toRosterChange,
  toTakenAlarm,
  toTaker,
} from './shift-summary.wire.ts';

/** What happened in the period. All parts are read from one snapshot, so that they agree. */
export async function readSummary(
  transaction: TenantTransaction,
  scope: SummaryScope,
  timeZone: string,
): Promise<ShiftSummary> {
  const tell = tellTimeIn(timeZone);
  const { from, to } = scope;
  const entries = { ...scope, ...(await findJournalRange(transaction, scope)) };
  const priorities = await countRaised(transaction, scope);
  const users = (await listTakers(transaction, entries)).map(toTaker(tell));
  const taken = listed(await listOfKind(transaction, entries, 'acknowledged'), toTakenAlarm(tell));
  return {
    from: tell(from),
    to: tell(to),
    raised: { total: priorities.reduce((sum, { raised }) => sum + raised, 0), priorities },
    open: listed(await listOpen(transaction, scope), toOpenAlarm(tell, from)),
    returned: listed(await listReturned(transaction, entries), toReturnedAlarm(tell)),
    taken: { ...taken, users },
    failedCalls: listed(await listFailedCalls(transaction, scope), toFailedCall(tell)),
    masksBegun: listed(await listOfKind(transaction, entries, 'masked'), toMaskChange(tell)),
    masksEnded: listed(await listOfKind(transaction, entries, 'unmasked'), toMaskChange(tell)),
    rosterChanges: listed(await listRosterChanges(transaction, scope), toRosterChange(tell)),
  };
}
