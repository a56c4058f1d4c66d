import { Directory, DirectoryBody, DirectoryTest, DirectoryTestAnswer } from '@tocsin/contract';
import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { auditChange } from '../../http/audit-change.ts';
import { principalOf } from '../../http/authorization.ts';
import { entityTag, requireVersion } from '../../http/entity-tag.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { requireWholeTenant } from '../../http/principal.ts';
import { requireRank } from '../../people/user-rules.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { type DirectoryRow, deleteDirectory, findDirectory, saveDirectory } from './directory.store.ts';
import { directoryToWire, toDirectoryRecord } from './directory.wire.ts';
import type { WithDirectory } from './directory-connections.ts';
import { testDirectory } from './test-directory.ts';

const path = '/api/v1/directory';
const tags = ['directory'];
const object = 'directory';
const permission = { read: 'people:read', write: 'people:write' } as const;
const Empty = Type.Null({ description: 'No content.' });

/** The directory of the tenant. Users limited to stations have no access to it. */
export function directoryRoutes(app: HttpApp, runtime: Runtime, withDirectory: WithDirectory): void {
  readRoute(app, runtime);
  saveRoute(app, runtime);
  deleteRoute(app, runtime);
  testRoute(app, runtime, withDirectory);
}

function readRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: permission.read },
      schema: { tags, summary: 'Read the directory of the tenant', response: { 200: Directory } },
    },
    async (request, reply) => {
      const row = await answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        return readDirectory(transaction);
      });
      reply.header('etag', entityTag(row.version));
      return directoryToWire(row);
    },
  );
}

function saveRoute(app: HttpApp, runtime: Runtime): void {
  app.put(
    path,
    {
      config: { permission: permission.write, audit: { action: 'directory.change', object } },
      schema: {
        tags,
        summary: 'Set or replace the directory of the tenant',
        body: DirectoryBody,
        response: { 200: Directory },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const principal = principalOf(request);
        requireWholeTenant(principal);
        for (const { role } of request.body.groupRoles) requireRank(principal, role);
        const before = await findDirectory(transaction, { forUpdate: true });
        requireVersion(request, before?.version ?? 0);
        const tenantBox = { box: runtime.box, tenantId: principal.tenantId };
        await saveDirectory(transaction, toDirectoryRecord(request.body, tenantBox, before));
        const row = await readDirectory(transaction);
        const body = directoryToWire(row);
        const secretsGiven = request.body.bindPassword === undefined ? [] : ['bindPassword'];
        const after = secretsGiven.length === 0 ? body : { ...body, secretsGiven };
        const audit = { id: '', before: before && directoryToWire(before), after };
        return { body, headers: { etag: entityTag(row.version) }, audit };
      }),
  );
}

function deleteRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    path,
    {
      config: { permission: permission.write, audit: { action: 'directory.delete', object } },
      schema: { tags, summary: 'Delete the directory of the tenant', response: { 204: Empty } },
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const before = await readDirectory(transaction, { forUpdate: true });
        requireVersion(request, before.version);
        await deleteDirectory(transaction);
        return { body: null, audit: { id: '', before: directoryToWire(before) } };
      });
      return reply.code(204).send(null);
    },
  );
}

function testRoute(app: HttpApp, runtime: Runtime, withDirectory: WithDirectory): void {
  app.post(
    `${path}/test`,
    {
      config: { permission: permission.write, audit: { action: 'directory.test', object } },
      schema: {
        tags,
        summary: 'Search for a person in the directory',
        body: DirectoryTest,
        response: { 200: DirectoryTestAnswer },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request);
      const row = await answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        return readDirectory(transaction);
      });
      const { username } = request.body;
      const answer = await testDirectory(runtime, withDirectory, { tenantId, row, username });
      await inTenant(runtime.database, tenantId, (transaction) =>
        auditChange(transaction, request, { id: '', after: { username, ...answer } }),
      );
      return answer;
    },
  );
}

async function readDirectory(
  transaction: TenantTransaction,
  options?: { forUpdate: boolean },
): Promise<DirectoryRow> {
  const row = await findDirectory(transaction, options);
  if (!row) throw new ProblemError('not-found', 'The tenant has no directory');
  return row;
}
