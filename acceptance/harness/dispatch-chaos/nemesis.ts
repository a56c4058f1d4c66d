import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosSite } from './chaos-site.ts';
import { describeFault, type Fault } from './fault-schedule.ts';

/** What went wrong, when, in epoch milliseconds. */
export type Window = { kind: Fault['kind']; what: string; from: number; to: number; total: boolean };

/** Lets everything go wrong that the schedule says, and waits until all is well again. */
export async function unleash(site: ChaosSite, schedule: readonly Fault[]): Promise<Window[]> {
  const windows: Window[] = [];
  const faulty = new Map<string, object>();
  const company = async (fault: Extract<Fault, { kind: 'company-fault' }>) => {
    for (const medium of fault.media) {
      faulty.set(medium, fault);
      await site.companies[medium].faults(fault.faults);
    }
    await sleep(fault.seconds * 1_000);
    for (const medium of fault.media)
      if (faulty.get(medium) === fault) await site.companies[medium].faults({});
    return true;
  };
  const strike = (fault: Fault): Promise<boolean> => {
    switch (fault.kind) {
      case 'kill-dispatcher':
        return site.dispatchers[fault.process]?.die(fault.seconds) ?? Promise.resolve(false);
      case 'stop-dispatcher':
        return site.dispatchers[fault.process]?.sleep(fault.seconds) ?? Promise.resolve(false);
      case 'kill-api':
        return site.apis[fault.process]?.die(fault.seconds) ?? Promise.resolve(false);
      case 'lose-database':
        return site.loseDatabase(fault.seconds).then(() => true);
      case 'company-fault':
        return company(fault);
    }
  };
  await Promise.all(
    schedule.map(async (fault) => {
      await sleep(fault.at * 1_000);
      const from = Date.now();
      const struck = await strike(fault);
      const { kind } = fault;
      if (struck)
        windows.push({ kind, what: describeFault(fault), from, to: Date.now(), total: isTotal(fault) });
    }),
  );
  for (const company of Object.values(site.companies)) await company.faults({});
  return windows.toSorted((one, other) => one.from - other.from);
}

/** While it lasts nobody can be called, whatever we do: with one company faulty there is the other. */
function isTotal(fault: Fault): boolean {
  if (fault.kind === 'lose-database') return true;
  if (fault.kind !== 'company-fault' || fault.media.length < 2) return false;
  return fault.faults.status !== undefined || fault.faults.hangBeforeAccept === true;
}

/** Whether something was wrong in so many milliseconds. */
export function touches(windows: readonly Window[], { from, ms }: { from: number; ms: number }): boolean {
  return windows.some((window) => window.from <= from + ms && window.to >= from);
}

/** How much of a stretch of time lies outside of the windows in which nobody could be called. */
export function workingMs(windows: readonly Window[], from: number, to: number): number {
  const total = windows.filter((window) => window.total).toSorted((one, other) => one.from - other.from);
  let [left, reached] = [to - from, from];
  for (const window of total) {
    const start = Math.max(window.from, reached);
    const end = Math.min(window.to, to);
    if (end <= start) continue;
    left -= end - start;
    reached = end;
  }
  return left;
}
