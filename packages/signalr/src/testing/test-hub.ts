import { setTimeout as pause } from 'node:timers/promises';
import { type Hub, type HubConnection, HubError } from '../hub/hub.ts';
import type { HubMessage } from '../hub/hub-message.ts';

export type TestHub = Hub<string> & {
  readonly connections: Set<HubConnection<string>>;
  /** The ids of disconnected clients, in order. */
  readonly disconnected: string[];
  /** Counts the server streams that have not ended. */
  readonly openStreams: { count: number };
  /** Holds `onConnected` until the returned function is called. Its handshake completes at once if `isReady`. */
  holdConnections(isReady: boolean): () => void;
  /** Makes `canRenewIdentity` return false from now on. */
  refuseRenewal(): void;
  /** Sends the message to all connected clients. */
  push(message: HubMessage): void;
};

/** A hub that records its connections and has a method for each kind of result. */
export function createTestHub(): TestHub {
  const connections = new Set<HubConnection<string>>();
  const disconnected: string[] = [];
  const openStreams = { count: 0 };
  let held = Promise.resolve();
  let isReadyAtOnce = false;
  let canRenew = true;
  return {
    name: 'testHub',
    connections,
    disconnected,
    openStreams,
    holdConnections: (isReady) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      isReadyAtOnce = isReady;
      return resolve;
    },
    refuseRenewal: () => {
      canRenew = false;
    },
    canRenewIdentity: () => canRenew,
    push: (message) => {
      for (const connection of connections) connection.send(message);
    },
    methods: { ...values, ...streams(openStreams) },
    onConnected: async (connection, { completeHandshake }) => {
      if (isReadyAtOnce) completeHandshake?.();
      await held;
      connections.add(connection);
      return '0';
    },
    onDisconnected: (connection) => {
      connections.delete(connection);
      disconnected.push(connection.id);
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
    throw new HubError('The door is locked');
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

/** An alarm message with a unique number. */
export function nextAlarm(): { number: number; message: HubMessage } {
  alarms += 1;
  return { number: alarms, message: alarmMessage(alarms) };
}

export function alarmMessage(id: number): HubMessage {
  const alarm = { id, path: 'boiler/pressure', message: 'Pressure “high” – 12 bar' };
  return { invocations: [{ target: 'onAlarm', argumentsJson: JSON.stringify([alarm]) }], cursor: String(id) };
}
