import { type EscalationStory, ordersIn } from './escalation-stories.ts';
import type { Evidence } from './evidence.ts';
import { type FaultWindow, touches, workingMs } from './inject-faults.ts';
import { phoneTimesOf, waitedForPhone } from './phone-times.ts';

/** The first call for an alarm, in milliseconds after it was due, by the logs of the phone companies. */
export type FirstCall = {
  story: EscalationStory;
  /** Until the first order; undefined if somebody acted or a fault began before the limit. */
  askedMs: number | undefined;
  /** Until the first accepted order, which is later if the first one was refused; undefined likewise. */
  acceptedMs: number | undefined;
};

/** First calls by the limit that applies, which depends only on the time when the alarm was due. */
export type FirstCalls = {
  /** No fault, and no other call to the people concerned, until the call was made or the limit was reached. */
  healthy: FirstCall[];
  /** A dispatcher was lost. Times of a total outage do not count, nor alarms due in them. */
  dispatcherLost: FirstCall[];
};

export const limitMs = {
  healthy: { asked: 2_000, accepted: 20_000 },
  dispatcherLost: { asked: 20_000, accepted: 60_000 },
};
const marginMs = 1_000;

export function firstCallsOf(evidence: Evidence, stories: readonly EscalationStory[]): FirstCalls {
  const { windows } = evidence;
  const times = phoneTimesOf(evidence);
  const gone = windows.filter(({ kind }) => /dispatcher/.test(kind));
  const total = windows.filter((window) => window.total);
  const { healthy, dispatcherLost } = limitMs;
  return {
    // An alarm that waits for a telephone is called for when the telephone is free.
    healthy: stories
      .filter((story) => {
        const { firstDue: from } = story.escalation;
        return !waitedForPhone(evidence, story, { times, from, to: from + healthy.asked });
      })
      .map((story) => firstCall(story, { limit: healthy, without: [], spoiling: windows }))
      .filter(isMeasured),
    dispatcherLost: stories
      .filter(({ escalation: { firstDue } }) => {
        const isGone = touches(gone, { from: firstDue, ms: 0 });
        return isGone && !touches(total, { from: firstDue - marginMs, ms: marginMs });
      })
      .map((story) => firstCall(story, { limit: dispatcherLost, without: total, spoiling: [] }))
      .filter(isMeasured),
  };
}

type Measure = {
  limit: { asked: number; accepted: number };
  /** Windows that do not count. */
  without: readonly FaultWindow[];
  /** An alarm is not measured if one of these windows begins before its call or its limit. */
  spoiling: readonly FaultWindow[];
};

function isMeasured({ askedMs, acceptedMs }: FirstCall): boolean {
  return askedMs !== undefined || acceptedMs !== undefined;
}

function firstCall(story: EscalationStory, { limit, without, spoiling }: Measure): FirstCall {
  const { firstDue } = story.escalation;
  const interval = story.intervals.find(({ from }) => from === firstDue);
  const orders = interval ? ordersIn(story, interval) : [];
  const measure = (called: number | undefined, most: number) => {
    // Without a call the time until somebody acted counts; below the limit nothing was measured.
    const until = called ?? interval?.to ?? firstDue;
    const ms = workingMs(without, firstDue, until);
    if (called === undefined && ms <= most) return undefined;
    const spoiled = touches(spoiling, { from: firstDue - marginMs, ms: marginMs + Math.min(ms, most) });
    return spoiled ? undefined : ms;
  };
  return {
    story,
    askedMs: measure(orders[0]?.at, limit.asked),
    acceptedMs: measure(orders.find(({ isAccepted }) => isAccepted)?.at, limit.accepted),
  };
}

export type P99 = { asked: number; accepted: number; alarms: number };

export function p99Of(calls: readonly FirstCall[]): P99 {
  return {
    asked: p99(calls.flatMap(({ askedMs }) => askedMs ?? [])),
    accepted: p99(calls.flatMap(({ acceptedMs }) => acceptedMs ?? [])),
    alarms: calls.length,
  };
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

/** One line with all figures that have a limit. */
export function describeFirstCalls({ healthy, dispatcherLost }: FirstCalls): string {
  const describe = (calls: readonly FirstCall[], limit: { asked: number; accepted: number }) => {
    const { asked, accepted, alarms } = p99Of(calls);
    const figure = (ms: number, most: number) => `${(ms / 1_000).toFixed(2)} s (≤ ${most / 1_000} s)`;
    return `asked ${figure(asked, limit.asked)}, accepted ${figure(accepted, limit.accepted)}, ${alarms} alarms`;
  };
  return (
    `first calls, p99: in health ${describe(healthy, limitMs.healthy)}; ` +
    `with a dispatcher gone ${describe(dispatcherLost, limitMs.dispatcherLost)}`
  );
}

const worthTelling = 3;

/** The events of the alarms that took longer than the limit, second by second. */
export function describeLatest({ windows }: Evidence, calls: readonly FirstCall[]): string[] {
  const { asked, accepted } = limitMs.healthy;
  const latest = calls
    .filter(({ askedMs = 0, acceptedMs = 0 }) => askedMs > asked || acceptedMs > accepted)
    .toSorted((one, other) => (other.acceptedMs ?? 0) - (one.acceptedMs ?? 0));
  return latest
    .slice(0, worthTelling)
    .map(({ story: { escalation, attempts, orders }, askedMs, acceptedMs }) => {
      const after = (time: number | null | undefined) =>
        time === null || time === undefined ? '–' : ((time - escalation.firstDue) / 1_000).toFixed(1);
      const first = orders.find(({ isAccepted }) => isAccepted)?.at ?? Number.POSITIVE_INFINITY;
      const tries = attempts
        .filter(({ created }) => created <= first)
        .map(
          ({ id, step, userId, medium, outcome, reason, created, sent, ended }) =>
            `${id} step ${step} user ${userId} ${medium} queued ${after(created)} sent ${after(sent)} ended ${after(ended)} ` +
            `${outcome} ${reason}`,
        );
      const around = windows
        .filter(
          ({ from, to }) =>
            to > escalation.firstDue - 15_000 && from < escalation.firstDue + (acceptedMs ?? 0),
        )
        .map(({ what, from, to }) => `${what} ${after(from)}–${after(to)}`);
      const when = `asked after ${askedMs} ms, accepted after ${acceptedMs} ms`;
      return `escalation ${escalation.id} of tenant ${escalation.tenantId}, ${when}: ${[...tries, ...around].join('; ')}`;
    });
}
