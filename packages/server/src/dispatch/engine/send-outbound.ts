import type { ChannelOutcome, ReportLeg } from '../../channels/port/outcome.ts';
import { traceIdOf } from '../../common/trace-id.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import { referenceOf } from '../outcomes/outcome.wire.ts';
import { type SettleReports, settleAtOnce } from '../outcomes/settle-queue.ts';
import { tracePlacing } from '../traces/trace-placing.ts';
import type { Outbound } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { createCallReporter, isLive } from './report-call.ts';

const sendMs = 5_000;
/** Longer than the 5 seconds after which a trunk without any reply is given up, shorter than the lease. */
const placeMs = 8_000;
const queryMs = 3_000;

/** A process that was suspended for longer may have lost its claim: another dispatcher may be calling already. */
const latestStartMs = 5_000;
/** Not a failure, because failures count against the attempts of the escalation. */
const notSent: ChannelOutcome = { kind: 'unknown', reason: 'not sent: the dispatcher stood still' };

/** Sends one message or places one call, and stores its outcome. Its attempts must be marked as being called. */
export async function sendOutbound(
  dispatch: Dispatch,
  outbound: Outbound,
  settle: SettleReports = settleAtOnce(dispatch.runtime, dispatch.metrics.countAttempts),
  onCallEvent: (tenantId: number) => void = () => {},
): Promise<void> {
  const { tenantId, channel, attempts } = outbound;
  const attemptId = attempts[0]?.id ?? 0;
  const reporter = createCallReporter(dispatch, { tenantId, attemptId }, onCallEvent);
  const isLate = performance.now() - outbound.claimedMs > latestStartMs;
  const spans = tracePlacing(dispatch.runtime.tracing, outbound);
  const reported = isLate ? notSent : await outcomeOf(outbound, reporter.report);
  for (const span of spans) span.end({ 'tocsin.call.outcome': reported.kind });
  const traceId = traceIdOf(attempts[0]?.traceParent);
  const placed = { tenantId, attemptId, channelId: channel.id, outcome: reported.kind, traceId };
  dispatch.runtime.log.debug(placed, 'call placed');
  if (!isLate) recordHealth(dispatch, outbound, reported);
  if (channel.channel.callsLiveHere && isLive(reported)) rememberCall(dispatch, outbound, reported);
  const outcome = await dispatch.judgeAnswer({ tenantId, attemptId, outcome: reported });
  try {
    const { stale } = await settle(tenantId, reportsOf(outcome, attempts, dispatch.names));
    if (stale > 0)
      dispatch.runtime.log.warn(
        { tenantId, channelId: channel.id, stale, traceId },
        'attempts were claimed by another dispatcher',
      );
  } finally {
    reporter.begin();
  }
}

function rememberCall({ calls }: Dispatch, outbound: Outbound, outcome: ChannelOutcome): void {
  const { tenantId, channel, message, attempts, userId } = outbound;
  const reference = referenceOf(outcome);
  calls.add({
    tenantId,
    attemptId: attempts[0]?.id ?? 0,
    leg: { attemptId: message.attemptId, reference },
    channel,
    address: message.address,
    userId,
    takesAlarms: message.answer !== undefined && message.alarmCount > 0,
    isEnding: false,
  });
}

/** Asks the provider once when the outcome of sending is unknown. */
async function outcomeOf(
  { channel: { channel }, message }: Outbound,
  report: ReportLeg,
): Promise<ChannelOutcome> {
  const limitMs = channel.callsLiveHere ? placeMs : sendMs;
  const outcome = await channel.place(message, AbortSignal.timeout(limitMs), report);
  if (outcome.kind !== 'unknown' || !channel.query) return outcome;
  const leg = { attemptId: message.attemptId, reference: '' };
  return (await channel.query(leg, AbortSignal.timeout(queryMs))) ?? outcome;
}

/** Records what the outcome says about the channel. The time is the database's, because this server's clock may be wrong. */
function recordHealth({ health }: Dispatch, outbound: Outbound, outcome: ChannelOutcome): void {
  const { tenantId, channel, claimedAt, claimedMs } = outbound;
  const now = new Date(claimedAt.getTime() + performance.now() - claimedMs);
  const place = { tenantId, channelId: channel.id };
  // There was no free line, or the message timed out in our own queue: that is not the channel's fault.
  if (outcome.kind === 'failed' && outcome.blame === 'queue') return;
  if (outcome.kind === 'notNow') return health.pause(place, outcome.retryAfterSeconds, now);
  if (outcome.kind === 'unknown' || (outcome.kind === 'failed' && outcome.blame === 'channel')) {
    health.recordFailure(place, outcome.reason, now);
    if (outcome.kind === 'failed' && outcome.retryAfterSeconds !== undefined)
      health.pause(place, outcome.retryAfterSeconds, now);
  } else health.recordSuccess(place);
}
