import { askProviders } from './ask-providers.ts';
import { deliverDue, type Outbound } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { escalateDue } from './escalate-due.ts';
import { findRoutes } from './find-routes.ts';
import { hangUpCalls } from './hang-up-calls.ts';
import { recoverStrays } from './recover-strays.ts';
import { sendOutbound } from './send-outbound.ts';
import { createSettleQueue } from './settle-queue.ts';
import { tellSystemAlarms } from './tell-system-alarms.ts';

export type Dispatcher = {
  /** There may be something to do: do not wait for the next look. */
  wake(): void;
  /** Takes up nothing more and waits for what is on its way. */
  stop(): Promise<void>;
  /** When each kind of work was last done without a failure, by the clock of `performance.now()`. */
  readonly lastDone: ReadonlyMap<string, number>;
};

export type DispatcherSettings = {
  /** Something became of calls of the tenant: those who watch need not wait until they look. */
  onTold?: (tenantId: number) => void;
  /** How often to look for what is due. */
  pollMs?: number;
};

const dutiesAtOnce = 500;
const straysAtOnce = 50;

/** Makes the calls. Any number of dispatchers may run: each duty and each attempt is taken up by one of them at a time. */
export function startDispatcher(
  dispatch: Dispatch,
  { onTold = () => {}, pollMs = 200 }: DispatcherSettings,
): Dispatcher {
  const { deliver, underway } = startSending(dispatch, onTold);
  const escalate = async () => {
    const { taken, queued, notices } = await escalateDue(
      dispatch.runtime,
      dispatch.directories,
      dutiesAtOnce,
      (transaction) => findRoutes(dispatch, transaction),
    );
    for (const notice of notices) dispatch.runtime.log.warn(notice, 'escalation has something to say');
    if (notices.length > 0) telling.wake();
    if (queued > 0) delivering.wake();
    // A tenant with many has had its share only: less than was wanted does not mean that nothing is left.
    return taken > 0;
  };

  const lastDone = new Map<string, number>();
  const loop = (name: string, everyMs: number, turn: () => Promise<boolean>) =>
    startLoop({ name, everyMs, turn, dispatch, lastDone });
  const delivering = loop('deliver', pollMs, deliver);
  const telling = loop('tell system alarms', 1_000, async () => {
    await tellSystemAlarms(dispatch.runtime, dispatch.writer);
    return false;
  });
  const loops = [
    delivering,
    telling,
    loop('escalate', pollMs, escalate),
    loop('hang up', pollMs, async () => (await hangUpCalls(dispatch, straysAtOnce)) === straysAtOnce),
    loop('ask providers', 2_000, async () => (await askProviders(dispatch, straysAtOnce)) === straysAtOnce),
    loop('recover', 1_000, async () => (await recoverStrays(dispatch, straysAtOnce)) === straysAtOnce),
  ];
  return {
    lastDone,
    wake: () => loops.forEach((one) => one.wake()),
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
      await Promise.all(underway);
    },
  };
}

type Sending = {
  /** Takes up what may be sent and sends it. Answers whether there was anything. */
  deliver: () => Promise<boolean>;
  /** What is on its way. */
  underway: ReadonlySet<Promise<void>>;
};

function startSending(dispatch: Dispatch, onTold: (tenantId: number) => void): Sending {
  const underway = new Set<Promise<void>>();
  const settle = createSettleQueue(dispatch.runtime);
  const send = (outbound: Outbound) => {
    const { tenantId, channel } = outbound;
    const place = { tenantId, channelId: channel.id };
    dispatch.slots.take(place);
    onTold(tenantId);
    const sent = sendOutbound(dispatch, outbound, settle)
      .catch((error: unknown) => dispatch.runtime.log.error({ err: error }, 'attempt was not settled'))
      .finally(() => {
        dispatch.slots.giveBack(place);
        onTold(tenantId);
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
  /** Answers whether there is more to do at once. */
  turn: () => Promise<boolean>;
  dispatch: Dispatch;
  lastDone: Map<string, number>;
};

type Loop = { wake(): void; stop(): Promise<void> };

/** Turn after turn, with a pause while there is nothing to do. A turn that fails is tried again. */
function startLoop({ name, everyMs, turn, dispatch, lastDone }: LoopSettings): Loop {
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
        const more = await turn();
        // How fresh a process is, is not the plant's time.
        lastDone.set(name, performance.now());
        if (more) continue;
      } catch (error) {
        dispatch.runtime.log.error({ err: error, work: name }, 'dispatcher could not do its work');
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
