import type { AttemptOutcome, AttemptStatus } from '@tocsin/domain';
import type { CallStatus } from '../../calls/call.store.ts';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';

/** Translates the outcome that a channel reports into the outcome of an attempt. */
export function attemptOutcomeOf(outcome: ChannelOutcome): AttemptOutcome {
  if (outcome.kind === 'failed') {
    // The fault of a channel is not the fault of the address: other channels may still reach it.
    const permanent = outcome.permanent && outcome.blame === 'recipient';
    const channelFault = outcome.blame !== 'recipient';
    return { kind: 'failed', permanent, channelFault, reason: outcome.reason };
  }
  // What a person pressed was carried out already.
  if (outcome.kind === 'pressed') return { kind: 'answered' };
  if ('reason' in outcome) return { kind: outcome.kind, reason: outcome.reason };
  return { kind: outcome.kind };
}

/** The provider's own name for the attempt; empty when it gave none. */
export function referenceOf(outcome: ChannelOutcome): string {
  return 'reference' in outcome ? (outcome.reference ?? '') : '';
}

const shown: Record<AttemptStatus, CallStatus> = {
  queued: 'Queued',
  calling: 'Calling',
  // Only the provider has accepted it so far.
  accepted: 'Calling',
  ringing: 'Calling',
  delivered: 'Delivered',
  answered: 'Delivered',
  acknowledged: 'Acknowledged',
  busy: 'Busy',
  noAnswer: 'NoAnswer',
  refused: 'Rejected',
  declined: 'Rejected',
  failed: 'Failed',
  unknown: 'Failed',
  cancelled: 'Cancelled',
};

/** The status of an attempt as the interface shows it. */
export function shownStatus(status: AttemptStatus): CallStatus {
  return shown[status];
}
