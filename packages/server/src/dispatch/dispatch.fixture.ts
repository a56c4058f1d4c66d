import type { Medium } from '@tocsin/contract';
import { createAlarmWriter } from '../alarms/alarm-writer.ts';
import type { Channel, Health, Message, Outcome } from '../channels/channel.ts';
import { createKnownDirectories } from '../duties/known-directories.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { test as withApp } from '../testing/app.fixture.ts';
import { createAttemptNames } from './attempt-name.ts';
import { createChannelHealth } from './channel-health.ts';
import { deliverDue } from './deliver-due.ts';
import type { Dispatch } from './dispatch.ts';
import { escalateDue } from './escalate-due.ts';
import { findRoutes } from './find-routes.ts';
import { hangUpCalls } from './hang-up-calls.ts';
import { recoverStrays } from './recover-strays.ts';
import { createSendLimits } from './send-limits.ts';
import { sendOutbound } from './send-outbound.ts';
import { createSendSlots } from './send-slots.ts';

/** The world outside: what it was asked to do, and what it answers. */
export type World = {
  readonly sent: Message[];
  readonly hungUp: string[];
  /** What the provider answers to a message; accepted unless told otherwise. */
  answer: (message: Message) => Outcome | Promise<Outcome>;
  /** What the provider knows of an attempt. */
  known: (attemptId: string) => Outcome | undefined;
  /** Whether the provider is there, for those who ask. */
  health: Health;
};

export function outsideWorld(): World {
  return {
    sent: [],
    hungUp: [],
    answer: ({ attemptId }) => ({ kind: 'accepted', reference: attemptId }),
    known: () => undefined,
    health: { works: true },
  };
}

function channelTo(world: World): Channel {
  return {
    send: async (message) => {
      world.sent.push(message);
      return world.answer(message);
    },
    query: async (attemptId) => world.known(attemptId),
    hangUp: async (attemptId) => void world.hungUp.push(attemptId),
    check: async () => world.health,
  };
}

const media: readonly Medium['kind'][] = ['Voice', 'Sms', 'Email'];

/** A dispatcher whose every channel leads to the test's world. */
export function dispatchTo(runtime: Runtime, world: World, served = media): Dispatch {
  const channel = channelTo(world);
  return {
    runtime,
    directories: createKnownDirectories(),
    channels: {
      of: async () => served.map((medium, index) => ({ id: index + 1, medium, channel })),
      close: () => {},
    },
    health: createChannelHealth(),
    limits: createSendLimits(),
    slots: createSendSlots(),
    names: createAttemptNames('test'),
    answerKeys: [Buffer.from('a key for codes that is only used in tests')],
    writer: createAlarmWriter(runtime),
    publicUrl: '',
    now: runtime.database.clock ?? (() => new Date()),
  };
}

/** `test` with a dispatcher that works when told to, and the world it works in. */
export const test = withApp
  .extend('world', () => outsideWorld())
  .extend('dispatch', ({ runtime, world }) => dispatchTo(runtime, world))
  .extend(
    'work',
    ({ dispatch }) =>
      () =>
        workOff(dispatch),
  );

/** Does all there is to do now. */
export async function workOff(dispatch: Dispatch): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    const { taken } = await escalateDue(dispatch.runtime, dispatch.directories, 100, (transaction) =>
      findRoutes(dispatch, transaction),
    );
    const outbound = await deliverDue(dispatch, 100);
    await Promise.all(outbound.map((one) => sendOutbound(dispatch, one)));
    const ended = await hangUpCalls(dispatch, 100);
    const recovered = await recoverStrays(dispatch, 100);
    if (taken + outbound.length + ended + recovered === 0) return;
  }
  throw new Error('the dispatcher does not come to rest');
}

export type StoredDuty = { occasion: string; closedReason: string | null };

export async function dutiesOf({ database }: Runtime): Promise<StoredDuty[]> {
  return inTenant(database, 1, (transaction) =>
    transaction.selectFrom('duties').select(['occasion', 'closedReason']).orderBy('id').execute(),
  );
}
