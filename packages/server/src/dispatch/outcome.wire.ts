import type { AttemptStatus, Outcome as Told } from '@tocsin/domain';
import type { CallStatus } from '../calls/call.store.ts';
import type { Outcome } from '../channels/channel.ts';

/** What a channel reports, as delivery understands it. */
export function toldBy(outcome: Outcome): Told {
  if (outcome.kind === 'failed') {
    // A channel that is broken says nothing of the address: others may still reach it.
    const permanent = outcome.permanent && outcome.blame === 'recipient';
    const channelFault = outcome.blame !== 'recipient';
    return { kind: 'failed', permanent, channelFault, reason: outcome.reason };
  }
  if (outcome.kind === 'refused' || outcome.kind === 'unknown')
    return { kind: outcome.kind, reason: outcome.reason };
  return { kind: outcome.kind };
}

/** The provider's own name for the attempt; empty when it gave none. */
export function referenceOf(outcome: Outcome): string {
  return 'reference' in outcome ? outcome.reference : '';
}

const shown: Record<AttemptStatus, CallStatus> = {
  queued: 'Queued',
  calling: 'Calling',
  // The provider has it, which is all that is known.
  accepted: 'Calling',
  delivered: 'Delivered',
  answered: 'Delivered',
  acknowledged: 'Acknowledged',
  busy: 'Busy',
  noAnswer: 'NoAnswer',
  refused: 'Rejected',
  failed: 'Failed',
  unknown: 'Failed',
  cancelled: 'Cancelled',
};

/** What the interface shows of an attempt that has come so far. */
export function shownStatus(status: AttemptStatus): CallStatus {
  return shown[status];
}
