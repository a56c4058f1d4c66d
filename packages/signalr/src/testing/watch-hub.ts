import { setTimeout as pause } from 'node:timers/promises';
import { type Hub, type HubConnection, HubError } from '../hub.ts';
import type { HubMessage } from '../hub-message.ts';

export type WatchHub = Hub<string> & {
  readonly connections: Set<HubConnection<string>>;
  /** Ids of those who left, in order. */
  readonly left: string[];
  /** Streams that were begun and have not ended. */
  readonly openStreams: { count: number };
  /** Lets joins wait until the answer is called; `isPlaced` says whether they know where clients begin. */
  holdJoins(isPlaced: boolean): () => void;
  /** Newer tokens permit something else from now on. */
  refuseRenewal(): void;
  /** Sends to all who are there. */
  push(message: HubMessage): void;
};

/** A hub that keeps a list of who is there, and has a method for each way to answer. */
export function createWatchHub(): WatchHub {
  const connections = new Set<HubConnection<string>>();
  const left: string[] = [];
  const openStreams = { count: 0 };
  let held = Promise.resolve();
  let isPlaced = false;
  let mayRenew = true;
  return {
    name: 'watchHub',
    connections,
    left,
    openStreams,
    holdJoins: (placed) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      isPlaced = placed;
      return resolve;
    },
    refuseRenewal: () => {
      mayRenew = false;
    },
    mayRenew: () => mayRenew,
    push: (message) => {
      for (const connection of connections) connection.send(message);
    },
    methods: { ...values, ...streams(openStreams) },
    join: async (connection, { placed }) => {
      if (isPlaced) placed?.();
      await held;
      connections.add(connection);
      return '0';
    },
    leave: (connection) => {
      connections.delete(connection);
      left.push(connection.id);
    },
  };
}

const values: Hub<string>['methods'] = {
  add: (_, one, other) => Number(one) + Number(other),
  echo: (_, value) => value,
  lengthOf: (_, text) => String(text).length,
  whoAmI: (connection) => connection.identity.user,
  connectionId: (connection) => connection.id,
  doNothing: () => undefined,
  refuse: () => {
    throw new HubError('The gate is shut');
  },
  breakDown: async () => {
    await pause(1);
    throw new Error('password of the database');
  },
  unserialisable: () => 1n,
};

function streams(open: { count: number }): Hub<string>['methods'] {
  async function* countTo(last: number, everyMs: number) {
    open.count += 1;
    try {
      for (let number = 1; number <= last; number += 1) {
        yield number;
        if (everyMs > 0) await pause(everyMs);
      }
    } finally {
      open.count -= 1;
    }
  }
  return {
    count: (_, to) => countTo(Number(to), 0),
    tick: () => countTo(Infinity, 5),
    sum: async (_, numbers) => {
      let sum = 0;
      for await (const number of numbers as AsyncIterable<unknown>) sum += Number(number);
      return sum;
    },
  };
}

let alarms = 0;

/** An alarm with a number of its own, and the number. */
export function nextAlarm(): { number: number; message: HubMessage } {
  alarms += 1;
  return { number: alarms, message: alarmMessage(alarms) };
}

export function alarmMessage(id: number): HubMessage {
  const alarm = { id, path: 'boiler/pressure', message: 'Pressure “high” – 12 bar' };
  return { calls: [{ target: 'onAlarm', argumentsJson: JSON.stringify([alarm]) }], cursor: String(id) };
}
