import { setTimeout as sleep } from 'node:timers/promises';
import {
  Channel,
  ChannelBody,
  ChannelHealthList,
  ChannelKinds,
  ChannelPage,
  ChannelTest,
  ChannelTestResult,
  IdParams,
  ListChannels,
} from '@tocsin/contract';
import { notFound } from '../common/problem.ts';
import type { SecretBox } from '../common/secret-box.ts';
import { answerRead } from '../http/answer.ts';
import { auditChange } from '../http/audit-change.ts';
import { principalOf } from '../http/authorization.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { type ChannelRow, channelStore, countDeliveries, listChannelHealth } from './channel.store.ts';
import {
  channelToWire,
  healthToWire,
  kindToWire,
  openSecrets,
  storedSettings,
  toNewChannel,
} from './channel.wire.ts';
import { channelRecord, givenChannelSecrets } from './channel-record.ts';
import { channelRegistry } from './kinds/channel-registry.ts';
import type { EgressOf } from './network/egress.ts';
import { openChannel } from './open-channel.ts';
import type { MediumKind, Channel as OpenChannel } from './port/channel.ts';
import type { Telephony } from './port/telephony.ts';
import { testChannel } from './test-channel.ts';

const dayMs = 86_400_000;

export type ChannelDependencies = {
  /** Undefined if the server has no secrets key; then it stores no secrets. */
  readonly box: SecretBox | undefined;
  readonly egressOf: EgressOf;
  /** Where the modems of a tenant are. */
  readonly modemDirectoryOf?: ((tenantId: number) => string | undefined) | undefined;
  readonly telephony?: Telephony | undefined;
};

/** A test call that lasts longer is hung up. */
const maxTestCallMs = 120_000;

const tags = ['channels'];
const permission = { read: 'channels:read', write: 'channels:write' } as const;

export function channelRoutes(app: HttpApp, runtime: Runtime, dependencies: ChannelDependencies): void {
  kindsRoute(app);
  healthRoute(app, runtime);
  testRoute(app, runtime, dependencies);
  collectionRoutes(app, runtime, {
    path: 'channels',
    noun: 'channel',
    permission,
    schema: { item: Channel, page: ChannelPage, body: ChannelBody, query: ListChannels },
    list: async (context, query, page) => {
      const tenantBox = tenantBoxOf(context, dependencies);
      const { rows, total } = await channelStore.list(context.transaction, query, page);
      return { items: rows.map((row) => channelToWire(row, tenantBox)), total };
    },
    find: async (context, id, options) => {
      const tenantBox = tenantBoxOf(context, dependencies);
      const row = await channelStore.find(context.transaction, id, options);
      return row && { item: channelToWire(row, tenantBox), version: row.version };
    },
    create: async (context, body) => {
      const tenantBox = tenantBoxOf(context, dependencies);
      return channelStore.insert(context.transaction, toNewChannel(channelRecord(body), tenantBox));
    },
    replace: async (context, id, body) => {
      const tenantBox = tenantBoxOf(context, dependencies);
      const row = await readChannel(context, id);
      const secrets = openSecrets(row, tenantBox) ?? {};
      const { kind, priority, enabled } = row;
      const medium = row.medium as MediumKind;
      const former = { kind, medium, priority, enabled, settings: storedSettings(row), secrets };
      await channelStore.update(
        context.transaction,
        id,
        toNewChannel(channelRecord(body, former), tenantBox),
      );
    },
    remove: async (context, id) => {
      requireWholeTenant(context.principal);
      await channelStore.remove(context.transaction, id);
    },
    givenSecrets: givenChannelSecrets,
  });
}

/** Channels name the tenant's servers, so users limited to stations have no access to them. */
function tenantBoxOf({ principal }: RequestContext, { box }: ChannelDependencies) {
  requireWholeTenant(principal);
  return { box, tenantId: principal.tenantId };
}

async function readChannel({ transaction }: RequestContext, id: number): Promise<ChannelRow> {
  const row = await channelStore.find(transaction, id, { forUpdate: false });
  if (!row) throw notFound('channel', id);
  return row;
}

function kindsRoute(app: HttpApp): void {
  app.get(
    '/api/v1/channels/kinds',
    {
      config: { permission: permission.read },
      schema: {
        tags,
        summary: 'List kinds of channels, with their settings',
        response: { 200: ChannelKinds },
      },
    },
    async () => [...channelRegistry].map(([name, kind]) => kindToWire(name, kind)),
  );
}

function healthRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/channels/health',
    {
      config: { permission: permission.read },
      schema: {
        tags,
        summary: 'Whether each channel works',
        response: { 200: ChannelHealthList },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const counts = await countDeliveries(transaction, new Date(transaction.now.getTime() - dayMs));
        const rows = await listChannelHealth(transaction);
        return rows.map((row) => healthToWire(row, counts.get(row.channelId)));
      }),
  );
}

async function runTest(
  opened: ReturnType<typeof openChannel>,
  asked: ChannelTest,
): Promise<ChannelTestResult> {
  if (opened.kind === 'unusable') return { works: false, outcome: 'unusable', reason: opened.reason };
  const { channel } = opened;
  const ended = Promise.withResolvers<void>();
  const result = await testChannel(channel, asked, async ({ kind }) => {
    if (kind !== 'ringing' && kind !== 'answered') ended.resolve();
    return { judgement: '', takenBy: '' };
  });
  // A test call goes on after the answer, until the person has heard it.
  const goesOn = channel.callsLiveHere === true && result.outcome === 'accepted';
  void (goesOn ? closeAfter(ended.promise, channel) : channel.close?.());
  return result;
}

async function closeAfter(ended: Promise<void>, channel: OpenChannel): Promise<void> {
  await Promise.race([ended, sleep(maxTestCallMs, undefined, { ref: false })]);
  await channel.close?.();
}

function testRoute(app: HttpApp, runtime: Runtime, dependencies: ChannelDependencies): void {
  app.post(
    '/api/v1/channels/:id/test',
    {
      config: {
        permission: permission.write,
        bodyOptional: true,
        audit: { action: 'channel.test', object: 'channel' },
      },
      schema: {
        tags,
        summary: 'Try a channel',
        params: IdParams,
        body: ChannelTest,
        response: { 200: ChannelTestResult },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const loaded = await answerRead(runtime, request, async (transaction) => {
        const tenantBox = tenantBoxOf({ transaction, principal }, dependencies);
        const { now } = transaction;
        return { row: await readChannel({ transaction, principal }, request.params.id), tenantBox, now };
      });
      const opened = openChannel(loaded.row, loaded.tenantBox, {
        egress: dependencies.egressOf(principal.tenantId),
        log: runtime.log,
        now: () => loaded.now,
        readMedia: async () => undefined,
        // What comes in is left to the channel in use: the provider delivers it again.
        inbox: () => Promise.reject(new Error('a test takes nothing in')),
        modemDirectory: dependencies.modemDirectoryOf?.(principal.tenantId),
        telephony: dependencies.telephony,
      });
      const result = await runTest(opened, request.body ?? {});
      await inTenant(runtime.database, principal.tenantId, (transaction) =>
        auditChange(transaction, request, { id: request.params.id, after: { ...request.body, ...result } }),
      );
      return result;
    },
  );
}
