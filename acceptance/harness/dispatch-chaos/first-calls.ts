import type { DutyStory } from './check-calls.ts';
import type { Evidence } from './evidence.ts';
import { type Window, workingMs } from './nemesis.ts';

/** The first call for an alarm, in milliseconds after it fell due, by the log of the phone company. */
export type FirstCall = {
  story: DutyStory;
  /** Until the company was asked. */
  askedMs: number;
  /** Until it took a call, which is later where it turned the first one down. */
  handedMs: number;
  isTurnedDown: boolean;
};

/** What the promises are about; which alarm is which depends on when it fell due, and not on what became of it. */
export type FirstCalls = {
  /** Nothing is wrong from a second before until the call must have been made. */
  healthy: FirstCall[];
  /** A dispatcher is gone. Time in which nobody could be called at all does not count, and no alarm that fell due in it. */
  dispatcherLost: FirstCall[];
};

export const promisedMs = { healthy: 2_000, dispatcherLost: 20_000 };
const marginMs = 1_000;

export function firstCallsOf({ windows, clients }: Evidence, stories: readonly DutyStory[]): FirstCalls {
  const masked = new Set(
    clients.filter(({ op }) => op === 'mask').map(({ tenantId, alarmId }) => `${tenantId} ${alarmId}`),
  );
  const known = stories.filter(({ duty }) => !masked.has(`${duty.tenantId} ${duty.tagId}`));
  const gone = windows.filter(({ kind }) => /dispatcher/.test(kind));
  const total = windows.filter((window) => window.total);
  const { healthy, dispatcherLost } = promisedMs;
  return {
    healthy: known
      .filter(({ duty }) => !touches(windows, { from: duty.firstDue - marginMs, ms: healthy + marginMs }))
      .flatMap((story) => firstCall(story, healthy, [])),
    dispatcherLost: known
      .filter(({ duty: { firstDue } }) => {
        const isGone = touches(gone, { from: firstDue, ms: 0 });
        return isGone && !touches(total, { from: firstDue - marginMs, ms: marginMs });
      })
      .flatMap((story) => firstCall(story, dispatcherLost, total)),
  };
}

function touches(windows: readonly Window[], { from, ms }: { from: number; ms: number }): boolean {
  return windows.some((window) => window.from <= from + ms && window.to >= from);
}

/** Who was never called counts as called when somebody acted; if that was in time, nothing can be said. */
function firstCall(story: DutyStory, promised: number, without: readonly Window[]): FirstCall[] {
  const { duty, first, asked } = story;
  const closed = duty.closed ?? Date.now();
  const until = (time: number) => workingMs(without, duty.firstDue, time);
  if (first === undefined && until(closed) <= promised) return [];
  const isTurnedDown = asked !== undefined && asked < (first ?? closed);
  return [{ story, askedMs: until(asked ?? closed), handedMs: until(first ?? closed), isTurnedDown }];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The promised times: until a call was taken, or until one was asked for where the first was turned down. */
export function judgedMs(calls: readonly FirstCall[]): number {
  return quantile(
    calls.map(({ isTurnedDown, askedMs, handedMs }) => (isTurnedDown ? askedMs : handedMs)),
    0.99,
  );
}

/** One line: how late, and how much later where the company turned the first call down. */
export function describeFirstCalls(calls: readonly FirstCall[]): string {
  const [taken, turnedDown] = [false, true].map((is) =>
    calls.filter(({ isTurnedDown }) => isTurnedDown === is),
  );
  const p99 = (some: readonly FirstCall[] | undefined, of: 'askedMs' | 'handedMs') =>
    Math.round(
      quantile(
        (some ?? []).map((call) => call[of]),
        0.99,
      ),
    );
  return (
    `${p99(taken, 'handedMs')} ms (${taken?.length} alarms); where the company turned the first call down, asked after ` +
    `${p99(turnedDown, 'askedMs')} ms and handed over after ${p99(turnedDown, 'handedMs')} ms (${turnedDown?.length})`
  );
}

const worthTelling = 3;

/** What happened to those that took longer than promised, second by second. */
export function tellLatest({ windows }: Evidence, calls: readonly FirstCall[]): string[] {
  const latest = calls
    .filter(({ handedMs }) => handedMs > promisedMs.healthy)
    .toSorted((one, other) => other.handedMs - one.handedMs);
  return latest.slice(0, worthTelling).map(({ story: { duty, attempts, first }, handedMs }) => {
    const after = (time: number | null | undefined) =>
      time === null || time === undefined ? '–' : ((time - duty.firstDue) / 1_000).toFixed(1);
    const tries = attempts
      .filter(({ created }) => created <= (first ?? Number.POSITIVE_INFINITY))
      .map(
        ({ id, step, userId, medium, outcome, reason, created, sent, ended }) =>
          `${id} step ${step} user ${userId} ${medium} queued ${after(created)} sent ${after(sent)} ended ${after(ended)} ` +
          `${outcome} ${reason}`,
      );
    const around = windows
      .filter(({ from, to }) => to > duty.firstDue - 15_000 && from < duty.firstDue + handedMs)
      .map(({ what, from, to }) => `${what} ${after(from)}–${after(to)}`);
    return `duty ${duty.id} of tenant ${duty.tenantId}, ${Math.round(handedMs)} ms: ${[...tries, ...around].join('; ')}`;
  });
}
