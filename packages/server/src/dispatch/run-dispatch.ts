import type { Registry } from 'prom-client';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import type { Database } from '../postgres/database.ts';
import { essentialLoops, watchDispatch } from './dispatch-metrics.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import type { Dispatch } from './engine/dispatch.ts';
import { type Auditor, createAuditor } from './monitoring/audit-escalations.ts';
import { checkChannels } from './monitoring/check-channels.ts';
import { createClockCheck } from './monitoring/check-clock.ts';
import { checkRosters } from './monitoring/check-rosters.ts';
import { endSolvedAlarms } from './monitoring/end-system-alarms.ts';
import { watchCalling } from './monitoring/watch-calling.ts';

export type RunningDispatch = {
  /** Jobs to repeat, each with its interval. */
  readonly jobs: readonly { name: string; everyMs: number; run: () => Promise<void> }[];
  /** Why calls are not made in time; undefined while they are. */
  fault(): string | undefined;
  stop(): Promise<void>;
};

const auditMs = 15_000;
const endMs = 10_000;
const heartbeatMs = 30_000;
const channelsMs = 2_000;
const rostersMs = 10_000;
const callingStateMs = 15_000;
/** A pass of the dispatcher takes a fraction of a second; a dispatcher that is this late hangs. */
const lateMs = 5_000;

/** Makes calls from this process, checks that they are made in time, and sends a heartbeat while they are. */
export function runDispatch(
  dispatch: Dispatch,
  writer: AlarmWriter,
  {
    database,
    heartbeatUrl,
    registry,
    onCallEvent = () => {},
  }: {
    database: Database;
    heartbeatUrl: string | undefined;
    registry: Registry;
    onCallEvent?: (tenantId: number) => void;
  },
): RunningDispatch {
  const dispatcher = startDispatcher(dispatch, { onCallEvent });
  const monitorRuntime = { ...dispatch.runtime, database };
  const auditor = createAuditor(monitorRuntime, writer);
  const clock = createClockCheck(monitorRuntime, dispatch.now);
  const fault = () => faultOf(dispatcher, auditor) ?? clock.fault();
  watchDispatch(registry, { lastDone: dispatcher.lastDone, fault });
  const calling = watchCalling(monitorRuntime, registry);
  const beat = async () => {
    if (heartbeatUrl !== undefined && fault() === undefined) await sendHeartbeat(heartbeatUrl);
  };
  return {
    fault,
    jobs: [
      { name: 'audit escalations', everyMs: auditMs, run: auditor.run },
      { name: 'check the clock', everyMs: auditMs, run: clock.run },
      { name: 'end system alarms', everyMs: endMs, run: () => endSolvedAlarms(dispatch, monitorRuntime) },
      {
        name: 'check channels',
        everyMs: channelsMs,
        run: () => checkChannels(dispatch, monitorRuntime, writer),
      },
      { name: 'check rosters', everyMs: rostersMs, run: () => checkRosters(monitorRuntime, writer) },
      { name: 'read calling state', everyMs: callingStateMs, run: calling.run },
      { name: 'send heartbeat', everyMs: heartbeatMs, run: beat },
    ],
    stop: async () => {
      await dispatcher.stop();
      await dispatch.channels.close();
    },
  };
}

function faultOf({ lastDone }: Dispatcher, auditor: Auditor): string | undefined {
  const overdue = auditor.overdue();
  if (overdue > 0) return `${overdue} calls are overdue`;
  // Process time: the clock of the plant may be set.
  const late = essentialLoops.filter((loop) => performance.now() - (lastDone.get(loop) ?? 0) > lateMs);
  return late.length === 0 ? undefined : `The dispatcher does not get to ${late.join(' and ')}`;
}

async function sendHeartbeat(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'error' });
  await answer.body?.cancel();
}
