import {
  ChangedTags,
  ChangeTags,
  ExportTags,
  ImportTags,
  ImportTagsQuery,
  type ListTags,
  ListTags as ListTagsSchema,
  TagImportResult,
  TagItemPage,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { definingActorOf } from '../alarms/alarm.routes.ts';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { answerRead } from '../http/answer.ts';
import { type AuditChange, auditChange } from '../http/audit-change.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { stationsFor } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { changeTags } from './change-tags.ts';
import { csvSigns } from './csv.ts';
import { importTags } from './import-tags.ts';
import { writeTagFile } from './tag-file.ts';
import { everyTag, listTags, readNames, type TagFilter } from './tag-list.store.ts';
import { toTagItem } from './tag-list.wire.ts';

const tags = ['tags'];

/** The tags of the plant: a list, one change for many, and files for spreadsheets. */
export function tagRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  listRoute(app, runtime);
  exportRoute(app, runtime);
  changeRoute(app, runtime, writer);
  importRoute(app, runtime, writer);
}

function listRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/tags',
    {
      config: { permission: 'alarms:read' },
      schema: { tags, summary: 'List tags', querystring: ListTagsSchema, response: { 200: TagItemPage } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query);
        const filter = await visibleFilter(transaction, request, request.query);
        const { tags: found, total } = await listTags(transaction, filter, asked);
        return page(found.map(toTagItem), asked, total);
      }),
  );
}

async function visibleFilter(
  transaction: TenantTransaction,
  request: Pick<FastifyRequest, 'principal'>,
  query: Pick<ListTags, Exclude<keyof TagFilter, 'ids' | 'stationIds'>>,
): Promise<TagFilter> {
  const { tagGroupId, scenarioId, callGroupId } = query;
  const named = { tagGroups: tagGroupId, scenarios: scenarioId, callGroups: callGroupId };
  return { ...query, stationIds: await stationsFor(transaction, principalOf(request).stationIds, named) };
}

const TagFile = Type.Unsafe<string>({
  type: 'string',
  description:
    'UTF-8 with a byte order mark, lines end with CRLF. A cell that a spreadsheet would run as a formula has an apostrophe in front, which an import removes.',
});

function exportRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/tags/export',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags,
        summary: 'Export tags as CSV',
        produces: ['text/csv'],
        querystring: ExportTags,
        response: { 200: TagFile },
      },
    },
    async (request, reply) => {
      const { separator = 'comma', ...query } = request.query;
      const file = await answerRead(runtime, request, async (transaction) => {
        const filter = await visibleFilter(transaction, request, query);
        const { tags: found } = await listTags(transaction, filter, everyTag);
        const { names } = await readNames(transaction, principalOf(request).stationIds);
        return writeTagFile(found, names, csvSigns[separator]);
      });
      return reply
        .header('content-disposition', 'attachment; filename="tags.csv"')
        .type('text/csv; charset=utf-8')
        .send(file);
    },
  );
}

function changeRoute(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.post(
    '/api/v1/tags/changes',
    {
      config: { permission: 'alarms:define', audit: { action: 'tag.change', object: 'tag' } },
      schema: {
        tags,
        summary: 'Make one change to many tags',
        body: ChangeTags,
        response: { 200: ChangedTags },
      },
    },
    async (request) => {
      const { body } = request;
      const caller = { principal: principalOf(request), actor: await definingActorOf(runtime, request) };
      const result = await changeTags({ runtime, writer }, caller, body);
      const ids = body.tags.map(({ id }) => id);
      await audit(runtime, request, { id: '', after: { ids, change: body.change, ...result } });
      return result;
    },
  );
}

function importRoute(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.post(
    '/api/v1/tags/import',
    {
      config: { permission: 'alarms:define', audit: { action: 'tag.import', object: 'tag' } },
      schema: {
        tags,
        summary: 'Import tags from CSV, or compare a file with the tags',
        querystring: ImportTagsQuery,
        body: ImportTags,
        response: { 200: TagImportResult },
      },
    },
    async (request) => {
      const dryRun = request.query.dryRun === 'true';
      const caller = { principal: principalOf(request), actor: await definingActorOf(runtime, request) };
      const result = await importTags({ runtime, writer }, caller, { csv: request.body.csv, dryRun });
      const { added, changed, unchanged, wrong } = result;
      const counts = { added: added.length, changed: changed.length, unchanged, wrong: wrong.length };
      await audit(runtime, request, { id: '', after: { dryRun, ...counts } });
      return result;
    },
  );
}

/** The journal has each change in the transaction of the change; the trail names who asked for all of them. */
function audit(runtime: Runtime, request: FastifyRequest, change: AuditChange): Promise<void> {
  const { tenantId } = principalOf(request);
  return inTenant(runtime.database, tenantId, (transaction) => auditChange(transaction, request, change));
}
