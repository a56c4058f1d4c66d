import { type DutyStory, ordersIn } from './duty-stories.ts';
import type { Evidence } from './evidence.ts';
import { touches, type Window, workingMs } from './nemesis.ts';

/** The first call for an alarm, in milliseconds after it fell due, by the logs of the phone companies. */
export type FirstCall = {
  story: DutyStory;
  /** Until a company was asked; undefined where somebody acted, or something went wrong, before it had to be. */
  askedMs: number | undefined;
  /** Until a company took a call, which is later where the first one was turned down; undefined likewise. */
  acceptedMs: number | undefined;
};

/** What the promises are about; which alarm is which depends on when it fell due, and not on what became of it. */
export type FirstCalls = {
  /** Nothing is wrong from a second before until the call was made or must have been. */
  healthy: FirstCall[];
  /** A dispatcher is gone. Time in which nobody could be called at all does not count, and no alarm that fell due in it. */
  dispatcherLost: FirstCall[];
};

export const promisedMs = {
  healthy: { asked: 2_000, accepted: 20_000 },
  dispatcherLost: { asked: 20_000, accepted: 60_000 },
};
const marginMs = 1_000;

export function firstCallsOf({ windows }: Evidence, stories: readonly DutyStory[]): FirstCalls {
  const gone = windows.filter(({ kind }) => /dispatcher/.test(kind));
  const total = windows.filter((window) => window.total);
  const { healthy, dispatcherLost } = promisedMs;
  return {
    healthy: stories
      .map((story) => firstCall(story, { promised: healthy, without: [], spoiling: windows }))
      .filter(isMeasured),
    dispatcherLost: stories
      .filter(({ duty: { firstDue } }) => {
        const isGone = touches(gone, { from: firstDue, ms: 0 });
        return isGone && !touches(total, { from: firstDue - marginMs, ms: marginMs });
      })
      .map((story) => firstCall(story, { promised: dispatcherLost, without: total, spoiling: [] }))
      .filter(isMeasured),
  };
}

type Measure = {
  promised: { asked: number; accepted: number };
  /** Time that does not count. */
  without: readonly Window[];
  /** An alarm that one of these touches before it was called for, or must have been, is not measured. */
  spoiling: readonly Window[];
};

function isMeasured({ askedMs, acceptedMs }: FirstCall): boolean {
  return askedMs !== undefined || acceptedMs !== undefined;
}

function firstCall(story: DutyStory, { promised, without, spoiling }: Measure): FirstCall {
  const { firstDue } = story.duty;
  const stretch = story.stretches.find(({ from }) => from === firstDue);
  const orders = stretch ? ordersIn(story, stretch) : [];
  const measure = (called: number | undefined, most: number) => {
    // Who was never called counts as called when somebody acted; if that was in time, nothing can be said.
    const until = called ?? stretch?.to ?? firstDue;
    const ms = workingMs(without, firstDue, until);
    if (called === undefined && ms <= most) return undefined;
    const spoiled = touches(spoiling, { from: firstDue - marginMs, ms: marginMs + Math.min(ms, most) });
    return spoiled ? undefined : ms;
  };
  return {
    story,
    askedMs: measure(orders[0]?.at, promised.asked),
    acceptedMs: measure(orders.find(({ isTaken }) => isTaken)?.at, promised.accepted),
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

/** One line with all figures that are promised. */
export function describeFirstCalls({ healthy, dispatcherLost }: FirstCalls): string {
  const tell = (calls: readonly FirstCall[], promised: { asked: number; accepted: number }) => {
    const { asked, accepted, alarms } = p99Of(calls);
    const figure = (ms: number, most: number) => `${(ms / 1_000).toFixed(2)} s (≤ ${most / 1_000} s)`;
    return `asked ${figure(asked, promised.asked)}, accepted ${figure(accepted, promised.accepted)}, ${alarms} alarms`;
  };
  return (
    `first calls, p99: in health ${tell(healthy, promisedMs.healthy)}; ` +
    `with a dispatcher gone ${tell(dispatcherLost, promisedMs.dispatcherLost)}`
  );
}

const worthTelling = 3;

/** What happened to those that took longer than promised, second by second. */
export function tellLatest({ windows }: Evidence, calls: readonly FirstCall[]): string[] {
  const { asked, accepted } = promisedMs.healthy;
  const latest = calls
    .filter(({ askedMs = 0, acceptedMs = 0 }) => askedMs > asked || acceptedMs > accepted)
    .toSorted((one, other) => (other.acceptedMs ?? 0) - (one.acceptedMs ?? 0));
  return latest.slice(0, worthTelling).map(({ story: { duty, attempts, orders }, askedMs, acceptedMs }) => {
    const after = (time: number | null | undefined) =>
      time === null || time === undefined ? '–' : ((time - duty.firstDue) / 1_000).toFixed(1);
    const first = orders.find(({ isTaken }) => isTaken)?.at ?? Number.POSITIVE_INFINITY;
    const tries = attempts
      .filter(({ created }) => created <= first)
      .map(
        ({ id, step, userId, medium, outcome, reason, created, sent, ended }) =>
          `${id} step ${step} user ${userId} ${medium} queued ${after(created)} sent ${after(sent)} ended ${after(ended)} ` +
          `${outcome} ${reason}`,
      );
    const around = windows
      .filter(({ from, to }) => to > duty.firstDue - 15_000 && from < duty.firstDue + (acceptedMs ?? 0))
      .map(({ what, from, to }) => `${what} ${after(from)}–${after(to)}`);
    const when = `asked after ${askedMs} ms, accepted after ${acceptedMs} ms`;
    return `duty ${duty.id} of tenant ${duty.tenantId}, ${when}: ${[...tries, ...around].join('; ')}`;
  });
}
