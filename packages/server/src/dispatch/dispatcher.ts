import { deliverDue } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { escalateDue, type TenantNotice } from './escalate-due.ts';
import { findDownMedia } from './find-down-media.ts';
import { hangUpCalls } from './hang-up-calls.ts';
import { recoverStrays } from './recover-strays.ts';
import { sendOutbound } from './send-outbound.ts';
import { createSettleQueue } from './settle-queue.ts';

export type Dispatcher = {
  /** There may be something to do: do not wait for the next look. */
  wake(): void;
  /** Takes up nothing more and waits for what is on its way. */
  stop(): Promise<void>;
  /** When each kind of work was last done without a failure, by the clock of `performance.now()`. */
  readonly lastDone: ReadonlyMap<string, number>;
};

export type DispatcherSettings = {
  onNotices: (notices: readonly TenantNotice[]) => void;
  /** Something became of calls of the tenant: those who watch need not wait until they look. */
  onTold?: (tenantId: number) => void;
  /** So many messages may be on their way at once. */
  sending?: number;
  /** How often to look for what is due. */
  pollMs?: number;
};

const dutiesAtOnce = 500;
const straysAtOnce = 50;

/** Makes the calls. Any number of dispatchers may run: each duty and each attempt is taken up by one of them at a time. */
export function startDispatcher(
  dispatch: Dispatch,
  { onNotices, onTold = () => {}, sending = 500, pollMs = 200 }: DispatcherSettings,
): Dispatcher {
  const underway = new Set<Promise<void>>();
  const settle = createSettleQueue(dispatch.runtime);
  const send = (work: Promise<void>) => {
    const guarded = work
      .catch((error: unknown) => dispatch.runtime.log.error({ err: error }, 'attempt was not settled'))
      .finally(() => underway.delete(guarded));
    underway.add(guarded);
  };

  const deliver = async () => {
    const free = sending - underway.size;
    if (free <= 0) return false;
    const outbound = await deliverDue(dispatch, free);
    for (const one of outbound) {
      onTold(one.tenantId);
      send(sendOutbound(dispatch, one, settle).finally(() => onTold(one.tenantId)));
    }
    return outbound.length > 0;
  };
  const escalate = async () => {
    const { taken, queued, notices } = await escalateDue(
      dispatch.runtime,
      dispatch.directories,
      dutiesAtOnce,
      (transaction) => findDownMedia(dispatch, transaction),
    );
    if (notices.length > 0) onNotices(notices);
    if (queued > 0) delivering.wake();
    return taken === dutiesAtOnce;
  };

  const lastDone = new Map<string, number>();
  const loop = (name: string, everyMs: number, turn: () => Promise<boolean>) =>
    startLoop({ name, everyMs, turn, dispatch, lastDone });
  const delivering = loop('deliver', pollMs, deliver);
  const loops = [
    delivering,
    loop('escalate', pollMs, escalate),
    loop('hang up', pollMs, async () => (await hangUpCalls(dispatch, straysAtOnce)) === straysAtOnce),
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
