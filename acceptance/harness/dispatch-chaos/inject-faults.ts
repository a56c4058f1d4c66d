import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosSite } from './chaos-site.ts';
import { describeFault, type Fault } from './fault-schedule.ts';

/** The time of an injected fault, in epoch milliseconds. */
export type FaultWindow = { kind: Fault['kind']; what: string; from: number; to: number; total: boolean };

/** Injects the scheduled faults and waits until the last one has ended. */
export async function injectFaults(site: ChaosSite, schedule: readonly Fault[]): Promise<FaultWindow[]> {
  const windows: FaultWindow[] = [];
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
  const inject = (fault: Fault): Promise<boolean> => {
    switch (fault.kind) {
      case 'kill-dispatcher':
        return site.dispatchers[fault.process]?.kill(fault.seconds) ?? Promise.resolve(false);
      case 'stop-dispatcher':
        return site.dispatchers[fault.process]?.suspend(fault.seconds) ?? Promise.resolve(false);
      case 'kill-api':
        return site.apis[fault.process]?.kill(fault.seconds) ?? Promise.resolve(false);
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
      const isInjected = await inject(fault);
      const { kind } = fault;
      if (isInjected)
        windows.push({ kind, what: describeFault(fault), from, to: Date.now(), total: isTotal(fault) });
    }),
  );
  for (const company of Object.values(site.companies)) await company.faults({});
  return windows.toSorted((one, other) => one.from - other.from);
}

/** Whether no call is possible during the fault: one faulty company leaves the other. */
function isTotal(fault: Fault): boolean {
  if (fault.kind === 'lose-database') return true;
  if (fault.kind !== 'company-fault' || fault.media.length < 2) return false;
  return fault.faults.status !== undefined || fault.faults.hangBeforeAccept === true;
}

/** Whether a window overlaps the interval. */
export function touches(
  windows: readonly FaultWindow[],
  { from, ms }: { from: number; ms: number },
): boolean {
  return windows.some((window) => window.from <= from + ms && window.to >= from);
}

/** Milliseconds of the interval outside of total outages. */
export function workingMs(windows: readonly FaultWindow[], from: number, to: number): number {
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
