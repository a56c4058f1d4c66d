import { refusedByMask } from '../escalations/command-order.store.ts';
import type { CommandEntry } from './command-entry.ts';
import type { CommandList } from './command-list.ts';
import type { DueRun } from './command-run.store.ts';

export type RunJudgement =
  | { kind: 'begin'; entry: CommandEntry }
  | { kind: 'wait' }
  | { kind: 'stop' }
  | { kind: 'refuse'; reason: string };

/** Decides about a due run; `running` counts the running programs by command. */
export function judgeRun(
  list: CommandList,
  run: DueRun,
  { tenantId, now, running }: { tenantId: number; now: Date; running: ReadonlyMap<number, number> },
): RunJudgement {
  const refuse = (reason: string): RunJudgement => ({ kind: 'refuse', reason });
  if (run.grantedBy === '') return refuse('whoever defined it may not run commands');
  // Stopping a program is never too late and needs no entry.
  if (run.kind === 'stop') return { kind: 'stop' };
  const entry = list.entries.find((one) => one.tenantId === tenantId && isFor(one, run));
  if (!entry) return refuse(`there is no command ${run.scriptId} in the list`);
  if (run.notAfter < now) return refuse('it could not be begun in time');
  if (run.occasion === 'raised' && run.isMasked) return refuse(refusedByMask);
  if (run.occasion === 'raised' && run.isDelayed && run.isOver)
    return refuse('the alarm was over before its delay');
  return (running.get(run.scriptId) ?? 0) < entry.maxParallel ? { kind: 'begin', entry } : { kind: 'wait' };
}

/** A command of another station is reported as missing, so that it is not revealed. */
function isFor({ id, stations }: CommandEntry, { scriptId, stationId }: DueRun): boolean {
  return id === scriptId && (stations === undefined || stations.includes(stationId));
}
