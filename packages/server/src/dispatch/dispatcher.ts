import { traceIdOf } from '../common/trace-id.ts';
import { deliverDue, type Outbound } from './engine/deliver-due.ts';
import type { Dispatch } from './engine/dispatch.ts';
import { escalateDue } from './engine/escalate-due.ts';
import { findRoutes } from './engine/find-routes.ts';
import { hangUpCalls } from './engine/hang-up-calls.ts';
import { joinCalls } from './engine/join-calls.ts';
import { pollProviders } from './engine/poll-providers.ts';
import { recoverAbandonedAttempts } from './engine/recover-abandoned-attempts.ts';
import { renewLiveCalls } from './engine/renew-calls.ts';
import { sendOutbound } from './engine/send-outbound.ts';
import { ChannelListeners } from './listeners/listen-channels.ts';
import { reportSystemAlarms } from './monitoring/report-system-alarms.ts';
import { createSettleQueue } from './outcomes/settle-queue.ts';

export type Dispatcher = {
  /** Claims nothing more and waits for the messages that are being sent. */
  stop(): Promise<void>;
  /** When each loop last completed a pass without a failure, by `performance.now()`. */
  readonly lastDone: ReadonlyMap<string, number>;
};

export type DispatcherSettings = {
  /** Called when calls of the tenant have changed, so that subscribers need not wait for the next poll. */
  onCallEvent?: (tenantId: number) => void;
  /** How often to look for due escalations and attempts. */
  pollMs?: number;
};

const escalationsAtOnce = 500;
const abandonedAtOnce = 50;
/** Three times in a lease. */
const renewMs = 3_000;

/** Starts the loops that make the calls. Any number of dispatchers may run: each row is claimed by one of them at a time. */
export function startDispatcher(
  dispatch: Dispatch,
  { onCallEvent = () => {}, pollMs = 200 }: DispatcherSettings,
): Dispatcher {
  const { deliver, underway } = startSending(dispatch, onCallEvent);
  const escalate = async () => {
    const { claimed, queued, events } = await escalateDue(
      dispatch.runtime,
      dispatch.configuration,
      escalationsAtOnce,
      (transaction) => findRoutes(dispatch, transaction),
    );
    for (const event of events) dispatch.runtime.log.warn(event, 'escalation event recorded');
    if (events.length > 0) reporting.wake();
    if (queued > 0) delivering.wake();
    // A large tenant gets only its share of a pass, so fewer claims than asked for do not mean that none are left.
    return claimed > 0;
  };

  const listeners = new ChannelListeners(dispatch);

  const lastDone = new Map<string, number>();
  const loop = (name: string, everyMs: number, runPass: () => Promise<boolean>) =>
    startLoop({ name, everyMs, runPass, dispatch, lastDone });
  const delivering = loop('deliver', pollMs, deliver);
  const reporting = loop('report system alarms', 1_000, async () => {
    await reportSystemAlarms(dispatch.runtime, dispatch.writer);
    return false;
  });
  const loops = [
    delivering,
    reporting,
    loop('escalate', pollMs, escalate),
    loop('listen', 1_000, () => listeners.runPass()),
    loop('join calls', pollMs, async () => (await joinCalls(dispatch)) > 0),
    loop('renew calls', renewMs, async () => {
      await renewLiveCalls(dispatch);
      return false;
    }),
    loop('hang up', pollMs, async () => (await hangUpCalls(dispatch, abandonedAtOnce)) === abandonedAtOnce),
    loop(
      'poll providers',
      2_000,
      async () => (await pollProviders(dispatch, abandonedAtOnce)) === abandonedAtOnce,
    ),
    loop(
      'recover',
      1_000,
      async () => (await recoverAbandonedAttempts(dispatch, abandonedAtOnce)) === abandonedAtOnce,
    ),
  ];
  return {
    lastDone,
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
      await listeners.stop();
      await Promise.all(underway);
    },
  };
}

type Sending = {
  /** Claims queued attempts and sends their messages. Returns whether there were any. */
  deliver: () => Promise<boolean>;
  /** The messages that are being sent. */
  underway: ReadonlySet<Promise<void>>;
};

function startSending(dispatch: Dispatch, onCallEvent: (tenantId: number) => void): Sending {
  const underway = new Set<Promise<void>>();
  const settle = createSettleQueue(dispatch.runtime, dispatch.metrics.countAttempts);
  const send = (outbound: Outbound) => {
    const { tenantId, channel } = outbound;
    const place = { tenantId, channelId: channel.id };
    dispatch.slots.acquire(place);
    onCallEvent(tenantId);
    const sent = sendOutbound(dispatch, outbound, settle, onCallEvent)
      .catch((error: unknown) =>
        dispatch.runtime.log.error(
          { err: error, tenantId, traceId: traceIdOf(outbound.attempts[0]?.traceParent) },
          'attempt was not settled',
        ),
      )
      .finally(() => {
        dispatch.slots.release(place);
        onCallEvent(tenantId);
        underway.delete(sent);
      });
    underway.add(sent);
  };
  const deliver = async () => {
    const wanted = dispatch.slots.wanted();
    if (wanted <= 0) return false;
    const outbound = await deliverDue(dispatch, wanted);
    for (const one of outbound) send(one);
    return outbound.length > 0;
  };
  return { deliver, underway };
}

type LoopSettings = {
  name: string;
  everyMs: number;
  /** Returns whether there is more to do at once. */
  runPass: () => Promise<boolean>;
  dispatch: Dispatch;
  lastDone: Map<string, number>;
};

type Loop = { wake(): void; stop(): Promise<void> };

/** Runs pass after pass, with a pause when there is nothing to do. A pass that fails is repeated after the pause. */
function startLoop({ name, everyMs, runPass, dispatch, lastDone }: LoopSettings): Loop {
  const stopping = new AbortController();
  let woken = false;
  let endPause = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      if (stopping.signal.aborted || woken) return resolve();
      const timer = setTimeout(resolve, everyMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        const hasMore = await runPass();
        // Process time: the clock of the plant may be set.
        lastDone.set(name, performance.now());
        if (hasMore) continue;
      } catch (error) {
        dispatch.runtime.log.error({ err: error, work: name }, 'dispatcher pass failed');
      }
      await pause();
    }
  };
  const running = run();
  return {
    wake: () => {
      woken = true;
      endPause();
    },
    stop: async () => {
      stopping.abort();
      endPause();
      await running;
    },
  };
}
