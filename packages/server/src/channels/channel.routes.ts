import {
  Channel,
  ChannelBody,
  ChannelKinds,
  ChannelPage,
  ChannelTest,
  ChannelTestResult,
  IdParams,
  ListChannels,
} from '@tocsin/contract';
import { answerRead } from '../http/answer.ts';
import { auditChange } from '../http/audit-change.ts';
import { principalOf } from '../http/authorization.ts';
import { collectionRoutes, type Visit } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { notFound } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import type { SecretBox } from '../secret-box.ts';
import {
  type ChannelRow,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  updateChannel,
} from './channel.store.ts';
import type { MediumKind } from './channel.ts';
import { channelToWire, kindToWire, openSecrets, storedSettings, toNewChannel } from './channel.wire.ts';
import { channelRecord, givenChannelSecrets } from './channel-record.ts';
import { channelRegistry } from './channel-registry.ts';
import type { EgressOf } from './egress.ts';
import { openChannel } from './open-channel.ts';
import { testChannel } from './test-channel.ts';

/** What channels need of the installation. */
export type ChannelMeans = {
  /** Undefined: the server has no key, and keeps no secrets. */
  readonly box: SecretBox | undefined;
  readonly egressOf: EgressOf;
};

const tags = ['channels'];
const permission = { read: 'channels:read', write: 'channels:write' } as const;

export function channelRoutes(app: HttpApp, runtime: Runtime, means: ChannelMeans): void {
  kindsRoute(app);
  testRoute(app, runtime, means);
  collectionRoutes(app, runtime, {
    path: 'channels',
    noun: 'channel',
    permission,
    schema: { item: Channel, page: ChannelPage, body: ChannelBody, query: ListChannels },
    list: async (visit, query, page) => {
      const keep = keeping(visit, means);
      const { rows, total } = await listChannels(visit.transaction, query, page);
      return { items: rows.map((row) => channelToWire(row, keep)), total };
    },
    find: async (visit, id, options) => {
      const keep = keeping(visit, means);
      const row = await findChannel(visit.transaction, id, options);
      return row && { item: channelToWire(row, keep), version: row.version };
    },
    create: async (visit, body) => {
      const keep = keeping(visit, means);
      return insertChannel(visit.transaction, toNewChannel(channelRecord(body), keep));
    },
    replace: async (visit, id, body) => {
      const keep = keeping(visit, means);
      const row = await readChannel(visit, id);
      const secrets = openSecrets(row, keep) ?? {};
      const { kind, priority, enabled } = row;
      const medium = row.medium as MediumKind;
      const former = { kind, medium, priority, enabled, settings: storedSettings(row), secrets };
      await updateChannel(visit.transaction, id, toNewChannel(channelRecord(body, former), keep));
    },
    remove: async (visit, id) => {
      requireWholeTenant(visit.principal);
      await deleteChannel(visit.transaction, id);
    },
    givenSecrets: givenChannelSecrets,
  });
}

/** Channels belong to the whole tenant, and say where its servers are: whoever is bound to stations has no part in them. */
function keeping({ principal }: Visit, { box }: ChannelMeans) {
  requireWholeTenant(principal);
  return { box, tenantId: principal.tenantId };
}

async function readChannel({ transaction }: Visit, id: number): Promise<ChannelRow> {
  const row = await findChannel(transaction, id, { forUpdate: false });
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

async function tryChannel(
  opened: ReturnType<typeof openChannel>,
  asked: ChannelTest,
  now: Date,
): Promise<ChannelTestResult> {
  if (opened.kind === 'unusable') return { works: false, outcome: 'unusable', reason: opened.reason };
  try {
    return await testChannel(opened.channel, asked, now);
  } finally {
    opened.channel.close?.();
  }
}

function testRoute(app: HttpApp, runtime: Runtime, means: ChannelMeans): void {
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
      const visited = await answerRead(runtime, request, async (transaction) => {
        const keep = keeping({ transaction, principal }, means);
        const { now } = transaction;
        return { row: await readChannel({ transaction, principal }, request.params.id), keep, now };
      });
      const opened = openChannel(visited.row, visited.keep, {
        egress: means.egressOf(principal.tenantId),
        log: runtime.log,
        now: () => visited.now,
        readMedia: async () => undefined,
      });
      const result = await tryChannel(opened, request.body ?? {}, visited.now);
      await inTenant(runtime.database, principal.tenantId, (transaction) =>
        auditChange(transaction, request, { id: request.params.id, after: { ...request.body, ...result } }),
      );
      return result;
    },
  );
}
