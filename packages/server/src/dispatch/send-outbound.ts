import type { Outcome } from '../channels/channel.ts';
import type { Outbound } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { referenceOf, toldBy } from './outcome.wire.ts';
import { type SettleReports, settleAtOnce } from './settle-queue.ts';

const sendMs = 5_000;
const askMs = 3_000;

/** A process that stood still for longer has lost the attempt, or is about to: another may be calling already. */
const latestStartMs = 5_000;
/** Not a failure: those are counted, and a server that stands still would use the tries up. */
const notSent: Outcome = { kind: 'unknown', reason: 'not sent: the dispatcher stood still' };

/** Sends one message and stores what came of it. It must be written down that it is being called. */
export async function sendOutbound(
  dispatch: Dispatch,
  outbound: Outbound,
  settle: SettleReports = settleAtOnce(dispatch.runtime),
): Promise<void> {
  const { tenantId, channel, attempts } = outbound;
  const isLate = performance.now() - outbound.takenMs > latestStartMs;
  const told = isLate ? notSent : await outcomeOf(outbound);
  if (!isLate) noteHealth(dispatch, outbound, told);
  const lead = attempts[0]?.id ?? 0;
  const { outcome } = await judgeOutcome(dispatch, { tenantId, attemptId: lead, outcome: told });
  const reference = referenceOf(outcome);
  const { stale } = await settle(
    tenantId,
    attempts.map(({ id, fence }) => ({
      attemptId: id,
      report: { outcome: toldBy(outcome), fence },
      reference,
    })),
  );
  if (stale > 0) dispatch.runtime.log.warn({ tenantId, channelId: channel.id, stale }, 'attempts were lost');
}

/** An outcome that nobody knows is asked for once: the provider may know. */
async function outcomeOf({ channel: { channel }, message }: Outbound): Promise<Outcome> {
  const outcome = await channel.send(message, AbortSignal.timeout(sendMs));
  if (outcome.kind !== 'unknown' || !channel.query) return outcome;
  return (await channel.query(message.attemptId, AbortSignal.timeout(askMs))) ?? outcome;
}

/** What it says of the channel, by the clock of the database, which is asked about it: that of this server may be wrong. */
function noteHealth({ health }: Dispatch, outbound: Outbound, outcome: Outcome): void {
  const { tenantId, channel, takenAt, takenMs } = outbound;
  const now = new Date(takenAt.getTime() + performance.now() - takenMs);
  const place = { tenantId, channelId: channel.id };
  // A message that waited for its turn here says nothing of the channel.
  if (outcome.kind === 'failed' && outcome.blame === 'queue') return;
  if (outcome.kind === 'unknown' || (outcome.kind === 'failed' && outcome.blame === 'channel')) {
    health.fails(place, outcome.reason, now);
    if (outcome.kind === 'failed' && outcome.retryAfterSeconds !== undefined)
      health.rests(place, outcome.retryAfterSeconds, now);
  } else health.works(place);
}
