import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import type { Database } from '../postgres/database.ts';
import { type Auditor, createAuditor } from './audit-duties.ts';
import type { Dispatch } from './dispatch.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import { endSolvedAlarms } from './end-system-alarms.ts';
import { warnOfGaps } from './warn-of-gaps.ts';
import { watchChannels } from './watch-channels.ts';
import { createClockWatch } from './watch-clock.ts';

export type RunningDispatch = {
  /** What to repeat: name, pause, work. */
  readonly jobs: readonly { name: string; everyMs: number; run: () => Promise<void> }[];
  /** Undefined while calling works, else what is wrong. */
  fault(): string | undefined;
  stop(): Promise<void>;
};

const auditMs = 15_000;
const endMs = 10_000;
const heartbeatMs = 30_000;
/** How often to look whose turn it is: to be probed, and to have its rosters looked at. */
const watchMs = 2_000;
const gapsMs = 10_000;
/** A turn of the dispatcher takes a fraction of a second; one that is this late hangs. */
const lateMs = 5_000;

/** Calls people from this process, watches that it is done, and tells a watch outside that it is. */
export function runDispatch(
  dispatch: Dispatch,
  writer: AlarmWriter,
  {
    database,
    heartbeatUrl,
    onTold = () => {},
  }: { database: Database; heartbeatUrl: string | undefined; onTold?: (tenantId: number) => void },
): RunningDispatch {
  const dispatcher = startDispatcher(dispatch, { onTold });
  const watching = { ...dispatch.runtime, database };
  const auditor = createAuditor(watching, writer);
  const clock = createClockWatch(watching, dispatch.now);
  const fault = () => faultOf(dispatcher, auditor) ?? clock.fault();
  const beat = async () => {
    if (heartbeatUrl !== undefined && fault() === undefined) await sendHeartbeat(heartbeatUrl);
  };
  return {
    fault,
    jobs: [
      { name: 'audit duties', everyMs: auditMs, run: auditor.run },
      { name: 'watch the clock', everyMs: auditMs, run: clock.run },
      { name: 'end system alarms', everyMs: endMs, run: () => endSolvedAlarms(dispatch, watching) },
      { name: 'watch channels', everyMs: watchMs, run: () => watchChannels(dispatch, watching, writer) },
      { name: 'warn of gaps', everyMs: gapsMs, run: () => warnOfGaps(watching, writer) },
      { name: 'send heartbeat', everyMs: heartbeatMs, run: beat },
    ],
    stop: async () => {
      await dispatcher.stop();
      dispatch.channels.close();
    },
  };
}

function faultOf({ lastDone }: Dispatcher, auditor: Auditor): string | undefined {
  const overdue = auditor.overdue();
  if (overdue > 0) return `${overdue} calls are overdue`;
  // Process time: how long ago a turn ended, whatever the plant's clock says.
  const late = ['escalate', 'deliver'].filter(
    (work) => performance.now() - (lastDone.get(work) ?? 0) > lateMs,
  );
  return late.length === 0 ? undefined : `The dispatcher does not get to ${late.join(' and ')}`;
}

async function sendHeartbeat(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'error' });
  await answer.body?.cancel();
}
