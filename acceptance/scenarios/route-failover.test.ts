import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { startSmallMailServer } from '../harness/mail/small-mail-server.ts';
import { type MessagePlant, openMessagePlant } from '../harness/on-call/message-plant.ts';
import { startRelay } from '../harness/on-call/relay.ts';
import { untilSystemAlarms } from '../harness/on-call/system-alarms.ts';
import { create } from '../harness/plant.ts';
import { startNtfyServer } from '../harness/push/ntfy-server.ts';
import { startExchange } from '../harness/sip/exchange.ts';
import { startPhone } from '../harness/sip/phone.ts';
import { voiceEnvironment } from '../harness/sip/voice-plant.ts';
import { startSmsCentre } from '../harness/sms/sms-centre.ts';

type Stoppable = { stop(): Promise<unknown> };

/** A medium with a provider that works, and how to bring the dead first one to life. */
type Route = {
  medium: string;
  kind: string;
  address: string;
  /** The settings of a channel to a port. */
  settingsFor(port: number): object;
  port: number;
  /** Whether the person got the message. */
  isReached(): boolean;
  revive(port: number): Promise<Stoppable>;
  stop(): Promise<unknown>;
};

async function voiceRoute(): Promise<Route> {
  const exchange = await startExchange();
  const phone = await startPhone({ number: '+33100000001' });
  exchange.connect(phone.number, phone.port);
  return {
    medium: 'Voice',
    kind: 'sip',
    address: phone.number,
    settingsFor: (port) => ({ host: '127.0.0.1', port, lines: 5 }),
    port: exchange.port,
    isReached: () => phone.events.some(({ type }) => type === 'CALL_INCOMING'),
    revive: (port) => startExchange(port),
    stop: async () => {
      await phone.stop();
      await exchange.stop();
    },
  };
}

async function smsRoute(): Promise<Route> {
  const centre = await startSmsCentre();
  return {
    medium: 'Sms',
    kind: 'smpp',
    address: '+33600000001',
    settingsFor: (port) => ({ host: '127.0.0.1', port, ...centre.account, source: '+33700000001' }),
    port: centre.port,
    isReached: () => centre.received.length > 0,
    revive: (port) => startRelay(port, centre.port),
    stop: () => centre.stop(),
  };
}

async function mailRoute(): Promise<Route> {
  const server = await startSmallMailServer();
  return {
    medium: 'Email',
    kind: 'email',
    address: 'ada@plant.example',
    settingsFor: (port) => ({ host: '127.0.0.1', port, security: 'none', from: 'alarm@plant.example' }),
    port: server.port,
    isReached: () => server.mails.length > 0,
    revive: (port) => startRelay(port, server.port),
    stop: () => server.stop(),
  };
}

async function pushRoute(): Promise<Route> {
  const server = await startNtfyServer();
  const port = Number(new URL(server.url).port);
  return {
    medium: 'Push',
    kind: 'ntfy',
    address: 'ada-in-hall-3',
    settingsFor: (to) => ({ url: `http://127.0.0.1:${to}`, token: server.token }),
    port,
    isReached: () => server.messages.length > 0,
    revive: (dead) => startRelay(dead, port),
    stop: () => server.stop(),
  };
}

const test = base
  .extend('opened', { scope: 'file' }, async () =>
    openMessagePlant(voiceEnvironment(await mkdtemp(join(tmpdir(), 'tocsin-calls-')))),
  )
  .extend('plant', { scope: 'file' }, ({ opened }, { onCleanup }): MessagePlant => {
    onCleanup(() => opened.close());
    return opened;
  });

const routes = [
  ['telephone', voiceRoute],
  ['SMS', smsRoute],
  ['e-mail', mailRoute],
  ['push', pushRoute],
] as const;

test.concurrent.for(routes)(
  'when the first route by %s is dead, the second one is used within ten seconds, and an alarm says so until it works',
  { timeout: 300_000 },
  async ([, openRoute], { plant, onTestFinished }) => {
    const route = await openRoute();
    onTestFinished(async () => void (await route.stop()));
    const dead = await freePort();
    const channel = (name: string, priority: number, port: number) =>
      create(plant.client, 'channels', {
        name: `${name} ${route.medium}`,
        kind: route.kind,
        medium: route.medium,
        priority,
        settings: route.settingsFor(port),
      });
    const first = await channel('First', 1, dead);
    await channel('Second', 2, route.port);
    const ada = await plant.hire('Ada', [{ kind: route.medium, address: route.address }]);
    const began = performance.now();
    await plant.alarmTo([ada], { attempts: 3 });
    await expect.poll(() => route.isReached(), { timeout: allowedMs(10_000) }).toBe(true);
    expect(performance.now() - began).toBeLessThan(allowedMs(10_000));

    const path = `tocsin/channels/${first}`;
    const isDown = (alarms: readonly { path: string; state: number }[]) =>
      alarms.some((alarm) => alarm.path === path && alarm.state % 2 === 1);
    await untilSystemAlarms(plant.client, isDown, 95);
    const revived = await route.revive(dead);
    onTestFinished(async () => void (await revived.stop()));
    await untilSystemAlarms(plant.client, (alarms) => !isDown(alarms), 95);
  },
);
