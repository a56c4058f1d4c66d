import { type Hub, type HubConnection, HubError, type Join } from '../hub.ts';
import type { HubMessage } from '../hub-message.ts';

export type TestUser = { readonly name: string };

/** The alarms of a plant in the order they appeared; several nodes may read the same one. */
export type PlantLog = {
  /** Appends an alarm and pushes it; the answer is its number, from 1. */
  raise(text?: string): number;
  readonly head: number;
  after(cursor: number): readonly HubMessage[];
  listen(push: (message: HubMessage) => void): void;
};

export function createPlantLog(): PlantLog {
  const entries: HubMessage[] = [];
  const listeners: ((message: HubMessage) => void)[] = [];
  return {
    raise: (text = 'pump') => {
      const id = entries.length + 1;
      const message = {
        calls: [{ target: 'onAlarm', argumentsJson: JSON.stringify([{ id, text }]) }],
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
  /** All joins there have been, oldest first. */
  readonly joins: readonly Join[];
  readonly members: ReadonlySet<HubConnection<TestUser>>;
  /** Makes the next join fail. */
  failNextJoin(): void;
  /** Makes the next join wait until the answer is called. */
  holdNextJoin(): () => void;
};

/** A hub on the log: it replays what comes after a cursor it knows, and begins at the end for any other. */
export function createTestHub(log: PlantLog, name = 'alarmHub'): TestHub {
  const joins: Join[] = [];
  const members = new Set<HubConnection<TestUser>>();
  let failures = 0;
  let held = Promise.resolve();
  log.listen((message) => {
    for (const member of members) member.send(message);
  });
  return {
    name,
    joins,
    members,
    failNextJoin: () => {
      failures += 1;
    },
    holdNextJoin: () => {
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
        connection.send({ calls: [{ target: 'onHello', argumentsJson: '["there"]' }] }),
      Count: async function* count() {
        yield 1;
      },
      Slow: async (_, ms) => {
        await new Promise((resolve) => setTimeout(resolve, Number(ms)));
        return 'done';
      },
    },
    join: async (connection, join) => {
      joins.push(join);
      await held;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the log cannot be read');
      }
      const known = /^plant-(\d+)$/.exec(join.cursor ?? '')?.[1];
      const from = known === undefined || Number(known) > log.head ? log.head : Number(known);
      for (const message of log.after(from)) connection.send(message);
      members.add(connection);
      return cursorOf(from);
    },
    leave: (connection) => void members.delete(connection),
  };
}
