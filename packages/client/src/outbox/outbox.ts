import { createListeners, type Unsubscribe } from '../common/listeners.ts';
import { inOneTab } from '../common/one-tab.ts';
import { type Clock, systemClock } from '../common/system-clock.ts';
import type { Api } from '../http/api.ts';
import type { OutboxItem, OutboxProgress, SeenAlarm } from './outbox-item.ts';
import type { OutboxStorage } from './outbox-storage.ts';
import { type SendOutcome, sendAcknowledgment } from './send-acknowledgment.ts';

/** Acknowledgments that are kept until the server has answered them, and sent in the order in which they were made. */
export type Outbox = {
  /** Reads what is stored and begins to send. */
  start(): Promise<void>;
  stop(): void;
  /** Stored when the promise is fulfilled; it is sent at once if there is a connection. */
  acknowledge(alarm: SeenAlarm, comment?: string): Promise<OutboxItem>;
  /** Sends now instead of at the next try, for example when the network is back. */
  sendNow(): Promise<void>;
  /** Takes an item off the list. One that waits is withdrawn, unless it is just being sent: then its outcome comes back. */
  dismiss(id: string): Promise<void>;
  subscribe(listener: () => void): Unsubscribe;
  /** The oldest first; the same list until something has changed. */
  getSnapshot(): readonly OutboxItem[];
};

export type OutboxOptions = {
  readonly storage: OutboxStorage;
  readonly api: Pick<Api, 'get' | 'post'>;
  readonly now?: Clock;
  /** The user who is signed in: the items of others wait for them. */
  readonly userId?: () => number | undefined;
};

const firstRetryMs = 2_000;
const longestRetryMs = 60_000;
const lockName = 'tocsin-outbox';

export function createOutbox({
  storage,
  api,
  now = systemClock,
  userId = () => undefined,
}: OutboxOptions): Outbox {
  return new StoredOutbox({ storage, api, now, userId });
}

/** Its methods are bound, so that they can be passed on by themselves. */
class StoredOutbox implements Outbox {
  readonly #parts: Required<OutboxOptions>;
  readonly #changed = createListeners();
  #items: readonly OutboxItem[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #isRunning = false;

  constructor(parts: Required<OutboxOptions>) {
    this.#parts = parts;
  }

  readonly subscribe = this.#changed.add;

  readonly getSnapshot = (): readonly OutboxItem[] => this.#items;

  readonly start = async (): Promise<void> => {
    this.#isRunning = true;
    await this.sendNow();
  };

  readonly stop = (): void => {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  };

  readonly acknowledge = async (alarm: SeenAlarm, comment?: string): Promise<OutboxItem> => {
    const { id, alarmTime, message } = alarm;
    const { userId, now } = this.#parts;
    const item: OutboxItem = {
      id: newKey(),
      userId: userId(),
      alarm: { id, alarmTime, message },
      comment,
      madeAt: now(),
      number: Math.max(0, ...this.#items.map(({ number }) => number)) + 1,
      progress: { state: 'waiting', tries: 0, nextTryAt: undefined },
    };
    await this.#keep(item);
    // A run that goes on may have passed it.
    if (!this.#sending) this.#plan();
    return item;
  };

  readonly sendNow = (): Promise<void> => {
    if (!this.#isRunning) return Promise.resolve();
    this.#sending ??= this.#send();
    return this.#sending;
  };

  readonly dismiss = async (id: string): Promise<void> => {
    await this.#parts.storage.remove(id);
    this.#show(this.#items.filter((item) => item.id !== id));
  };

  async #send(): Promise<void> {
    let leastWaitMs = firstRetryMs;
    try {
      await inOneTab(lockName, () => this.#sendAll());
      leastWaitMs = 0;
    } finally {
      this.#sending = undefined;
      this.#plan(leastWaitMs);
    }
  }

  async #sendAll(): Promise<void> {
    const { storage, api, now } = this.#parts;
    // Another tab may have sent some of them meanwhile, and this one may make more while they are read.
    const before = this.#items;
    const stored = await storage.list();
    const added = this.#items.filter((item) => !before.includes(item));
    this.#show([...stored.filter(({ id }) => !added.some((item) => item.id === id)), ...added]);
    for (const item of this.#items.filter((each) => this.#isDue(each))) {
      const outcome = await sendAcknowledgment(api, item);
      await this.#keep({ ...item, progress: progressAfter(item, outcome, now()) });
      // The order is kept, so the rest waits, too.
      if (outcome.kind === 'unsent') return;
    }
  }

  #plan(leastWaitMs = 0): void {
    clearTimeout(this.#timer);
    const progress = this.#items.find((item) => this.#isDue(item))?.progress;
    if (!this.#isRunning || progress?.state !== 'waiting') return;
    const now = this.#parts.now();
    const waitMs = Math.max(leastWaitMs, (progress.nextTryAt ?? now) - now);
    this.#timer = setTimeout(
      () => {
        this.sendNow().catch(() => undefined);
      },
      Math.min(waitMs, longestRetryMs),
    );
  }

  #isDue({ progress, userId }: OutboxItem): boolean {
    return progress.state === 'waiting' && (userId === undefined || userId === this.#parts.userId());
  }

  async #keep(item: OutboxItem): Promise<void> {
    await this.#parts.storage.put(item);
    this.#show([...this.#items.filter(({ id }) => id !== item.id), item]);
  }

  #show(items: readonly OutboxItem[]): void {
    this.#items = items.toSorted((one, other) => one.number - other.number);
    this.#changed.tell();
  }
}

function progressAfter({ progress }: OutboxItem, outcome: SendOutcome, at: number): OutboxProgress {
  if (outcome.kind === 'accepted')
    return { state: 'accepted', acceptedAt: at, acknowledgedBy: outcome.acknowledgedBy };
  if (outcome.kind === 'refused') return { state: 'refused', refusedAt: at, reason: outcome.reason };
  const tries = (progress.state === 'waiting' ? progress.tries : 0) + 1;
  const backOffMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (tries - 1));
  const waitMs = Math.max(backOffMs, (outcome.retryAfterSeconds ?? 0) * 1_000);
  return { state: 'waiting', tries, nextTryAt: at + waitMs };
}

/** `crypto.randomUUID` does not exist on pages without TLS. */
function newKey(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
