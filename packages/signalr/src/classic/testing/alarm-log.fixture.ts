import { type ConnectOptions, type Hub, type HubConnection, HubError } from '../../hub/hub.ts';
import type { HubMessage } from '../../hub/hub-message.ts';

export type TestUser = { readonly name: string };

/** A log of alarms, which several nodes may share. */
export type AlarmLog = {
  /** Appends an alarm and sends it to the listeners. Returns its number, starting at 1. */
  raise(text?: string): number;
  readonly head: number;
  after(cursor: number): readonly HubMessage[];
  listen(push: (message: HubMessage) => void): void;
};

export function createAlarmLog(): AlarmLog {
  const entries: HubMessage[] = [];
  const listeners: ((message: HubMessage) => void)[] = [];
  return {
    raise: (text = 'pump') => {
      const id = entries.length + 1;
      const message = {
        invocations: [{ target: 'onAlarm', argumentsJson: JSON.stringify([{ id, text }]) }],
        cursor: cursorOf(id),
      };
      entries.push(message);
      for (const push of listeners) push(message);
      return id;
    },
    get head() {
      return entries.length;
    },
    after: (cursor) => entries.slice(cursor),
    listen: (push) => void listeners.push(push),
  };
}

export function cursorOf(id: number): string {
  return `plant-${id}`;
}

export type TestHub = Hub<TestUser> & {
  /** The options of all `onConnected` calls, oldest first. */
  readonly connects: readonly ConnectOptions[];
  readonly connections: ReadonlySet<HubConnection<TestUser>>;
  /** Makes the next `onConnected` fail. */
  failNextConnect(): void;
  /** Holds the next `onConnected` until the returned function is called. */
  holdNextConnect(): () => void;
};

/** A hub for the log. It replays the alarms after a known cursor, and starts at the end otherwise. */
export function createTestHub(log: AlarmLog, name = 'alarmHub'): TestHub {
  const connects: ConnectOptions[] = [];
  const connections = new Set<HubConnection<TestUser>>();
  let failures = 0;
  let held = Promise.resolve();
  log.listen((message) => {
    for (const connection of connections) connection.send(message);
  });
  return {
    name,
    connects,
    connections,
    failNextConnect: () => {
      failures += 1;
    },
    holdNextConnect: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    methods: {
      Echo: (_, ...args) => args[0],
      Nothing: () => undefined,
      Refuse: () => {
        throw new HubError('the pump is locked');
      },
      Crash: () => {
        throw new Error('secret detail');
      },
      Keep: (connection, state) => connection.keepState(String(state)),
      WhoAmI: (connection) => connection.identity.user.name,
      SayHello: (connection) =>
        connection.send({ invocations: [{ target: 'onHello', argumentsJson: '["there"]' }] }),
      Count: async function* count() {
        yield 1;
      },
      Slow: async (_, ms) => {
        await new Promise((resolve) => setTimeout(resolve, Number(ms)));
        return 'done';
      },
    },
    onConnected: async (connection, options) => {
      connects.push(options);
      await held;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the log cannot be read');
      }
      const known = /^plant-(\d+)$/.exec(options.cursor ?? '')?.[1];
      const from = known === undefined || Number(known) > log.head ? log.head : Number(known);
      for (const message of log.after(from)) connection.send(message);
      connections.add(connection);
      return cursorOf(from);
    },
    onDisconnected: (connection) => void connections.delete(connection),
  };
}
