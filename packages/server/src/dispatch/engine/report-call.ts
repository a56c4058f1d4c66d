import type { ChannelOutcome, ReportLeg, ReportReply } from '../../channels/port/outcome.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import { listAttemptsOfCall } from '../outcomes/settle.store.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import type { Dispatch } from './dispatch.ts';

const noReply: ReportReply = { judgement: '', takenBy: '' };

/** While a call lives it has one of these outcomes; every other one ends it. */
const liveKinds: readonly ChannelOutcome['kind'][] = ['accepted', 'ringing', 'answered', 'pressed'];

export function isLive({ kind }: ChannelOutcome): boolean {
  return liveKinds.includes(kind);
}

type ReportedCall = { tenantId: number; attemptId: number };

/**
 * Carries out the reports of one call in their order. They wait until the outcome of placing the call is stored, because a
 * phone may ring before.
 */
export function createCallReporter(
  dispatch: Dispatch,
  call: ReportedCall,
  onCallEvent: (tenantId: number) => void,
): { report: ReportLeg; begin(): void } {
  let begin = () => {};
  let last: Promise<unknown> = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const report: ReportLeg = (outcome) => {
    const reply = last.then(() => carryOut(dispatch, call, outcome));
    last = reply.then(
      () => onCallEvent(call.tenantId),
      (error: unknown) =>
        dispatch.runtime.log.error(
          { err: error, ...call, kind: outcome.kind },
          'report of a call was not stored',
        ),
    );
    return reply.catch(() => noReply);
  };
  return { report, begin };
}

async function carryOut(
  dispatch: Dispatch,
  call: ReportedCall,
  reported: ChannelOutcome,
): Promise<ReportReply> {
  const { tenantId, attemptId } = call;
  if (reported.kind === 'pressed') return dispatch.judgeKeys({ tenantId, attemptId, keys: reported });
  const outcome = await dispatch.judgeAnswer({ tenantId, attemptId, outcome: reported });
  const { changes } = await inTenant(dispatch.runtime.database, tenantId, async (transaction) => {
    const together = await listAttemptsOfCall(transaction, attemptId);
    return settleAttempts(transaction, reportsOf(outcome, together, dispatch.names));
  });
  dispatch.metrics.countAttempts(changes);
  if (!isLive(outcome)) dispatch.calls.remove(tenantId, attemptId);
  return noReply;
}
