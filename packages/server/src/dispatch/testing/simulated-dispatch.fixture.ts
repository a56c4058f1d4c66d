import type { Medium } from '@tocsin/contract';
import { Registry } from 'prom-client';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Channel, Health } from '../../channels/port/channel.ts';
import type { Message, MessageAlarm } from '../../channels/port/message.ts';
import type { ChannelOutcome, ReportLeg } from '../../channels/port/outcome.ts';
import { createConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { answerKeys as judgeKeys } from '../answers/answer-keys.ts';
import { judgeOutcome } from '../answers/judge-outcome.ts';
import { createChannelHealth } from '../engine/channel-health.ts';
import { deliverDue } from '../engine/deliver-due.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { escalateDue } from '../engine/escalate-due.ts';
import { findRoutes } from '../engine/find-routes.ts';
import { hangUpCalls } from '../engine/hang-up-calls.ts';
import { createLiveCalls } from '../engine/live-calls.ts';
import { recoverAbandonedAttempts } from '../engine/recover-abandoned-attempts.ts';
import { createSendLimits } from '../engine/send-limits.ts';
import { sendOutbound } from '../engine/send-outbound.ts';
import { createSendSlots } from '../engine/send-slots.ts';
import { createAttemptNames } from '../outcomes/attempt-name.ts';
import { createCallMetrics } from '../outcomes/call-metrics.ts';

/** A simulated provider: the messages it received, and its answers. */
export type World = {
  readonly sent: Message[];
  readonly hungUp: string[];
  /** Runs while a call is hung up. */
  whenHungUp: (attemptId: string) => Promise<unknown>;
  /** The provider's answer to a message; by default `accepted`. */
  answer: (message: Message) => ChannelOutcome | Promise<ChannelOutcome>;
  /** The provider's answer when it is asked for the outcome of an attempt. */
  known: (attemptId: string) => ChannelOutcome | undefined;
  /** The provider's answer to a probe. */
  health: Health | Promise<Health>;
  /** Calls live in the process of the dispatcher, as those of a telephone line. */
  livesHere: boolean;
  /** Reports what happens to a call, by the name of its attempt. */
  reports: Map<string, ReportLeg>;
  /** Further alarms that joined a call. */
  announced: { attemptId: string; alarms: readonly MessageAlarm[] }[];
};

export function outsideWorld(): World {
  return {
    sent: [],
    hungUp: [],
    whenHungUp: async () => undefined,
    answer: ({ attemptId }) => ({ kind: 'accepted', reference: attemptId }),
    known: () => undefined,
    health: { works: true },
    livesHere: false,
    reports: new Map(),
    announced: [],
  };
}

function channelTo(world: World): Channel {
  return {
    get callsLiveHere() {
      return world.livesHere;
    },
    announce: async ({ attemptId }, alarms) => {
      world.announced.push({ attemptId, alarms });
      return world.reports.has(attemptId);
    },
    place: async (message, _signal, report) => {
      world.sent.push(message);
      if (report) world.reports.set(message.attemptId, report);
      return world.answer(message);
    },
    query: async ({ attemptId }) => world.known(attemptId),
    hangUp: async ({ attemptId }) => {
      world.hungUp.push(attemptId);
      await world.whenHungUp(attemptId);
    },
    check: async () => world.health,
  };
}

export const media: readonly Medium['kind'][] = ['Voice', 'Sms', 'Email'];

/** A dispatcher whose channels all lead to the simulated provider. */
export function dispatchTo(
  runtime: Runtime,
  world: World,
  served = media,
  registry = new Registry(),
): Dispatch {
  const channel = channelTo(world);
  const opened = new Set<number>();
  const names = createAttemptNames('test');
  const answerKeys = [Buffer.from('a key for codes that is only used in tests')] as const;
  const writer = createAlarmWriter(runtime);
  const metrics = createCallMetrics(registry);
  const answerServices = { runtime, writer, names, answerKeys, countAttempts: metrics.countAttempts };
  return {
    runtime,
    configuration: createConfigurationCache(),
    channels: {
      // As the pool: open in its first version once it was read.
      opened: (tenantId, { version }) => (opened.has(tenantId) && version === 1 ? channel : undefined),
      of: async ({ tenantId }) => {
        opened.add(tenantId);
        return served.map((medium, index) => ({ id: index + 1, medium, channel }));
      },
      find: async (_transaction, id) => {
        const medium = served[id - 1];
        return medium === undefined ? undefined : { id, medium, channel, version: 1, enabled: true };
      },
      close: async () => {},
    },
    health: createChannelHealth(),
    limits: createSendLimits(),
    slots: createSendSlots(),
    metrics,
    names,
    answerKeys,
    judgeAnswer: async (reported) => (await judgeOutcome(answerServices, reported)).outcome,
    judgeKeys: (pressed) => judgeKeys(answerServices, pressed),
    node: 'test',
    calls: createLiveCalls(),
    writer,
    publicUrl: '',
    now: runtime.database.clock ?? (() => new Date()),
  };
}

/** Runs the dispatcher until nothing is due. */
export async function workOff(dispatch: Dispatch): Promise<void> {
  for (let pass = 0; pass < 20; pass++) {
    const { claimed } = await escalateDue(dispatch.runtime, dispatch.configuration, 100, (transaction) =>
      findRoutes(dispatch, transaction),
    );
    const outbound = await deliverDue(dispatch, 100);
    await Promise.all(outbound.map((one) => sendOutbound(dispatch, one)));
    const ended = await hangUpCalls(dispatch, 100);
    const recovered = await recoverAbandonedAttempts(dispatch, 100);
    if (claimed + outbound.length + ended + recovered === 0) return;
  }
  throw new Error('the dispatcher does not finish');
}
