import type { CommandRun } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import type { RunRow } from './command-history.store.ts';

export function toCommandRun({
  timeZone,
  orderedAt,
  startedAt,
  endedAt,
  exitCode,
  ...row
}: RunRow): CommandRun {
  return {
    id: row.id,
    type: row.kind === 'stop' ? 'StopCommand' : 'ExecuteCommand',
    scriptId: row.scriptId,
    parameter: row.parameter,
    alarmId: row.tagId,
    occasion: row.occasion as CommandRun['occasion'],
    grantedBy: row.grantedBy,
    status: row.status as CommandRun['status'],
    reason: row.reason,
    listHash: row.listHash,
    orderTime: formatInZone(timeZone, orderedAt),
    ...(startedAt && { startTime: formatInZone(timeZone, startedAt) }),
    ...(endedAt && { endTime: formatInZone(timeZone, endedAt) }),
    ...(exitCode !== null && { exitCode }),
    signal: row.signal,
    output: row.output,
    outputCut: row.outputCut,
  };
}
