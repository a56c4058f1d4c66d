import { Readable } from 'node:stream';
import {
  type AuditEntry,
  AuditPage,
  AuditVerification,
  ListAudit,
  mostVerifiedEntries,
} from '@tocsin/contract';
import { parseDateTime } from '@tocsin/domain';
import { Type } from 'typebox';
import { auditEnd, listAudit } from '../audit/audit.store.ts';
import type { ChainedEntry } from '../audit/audit-entry.ts';
import { type KeyBox, openAuditKey } from '../audit/audit-keys.ts';
import { exportTrail } from '../audit/export-trail.ts';
import { type TrailVerification, verifyStoredTrail } from '../audit/verify-stored-trail.ts';
import { invalid } from '../common/problem.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { answerRead } from './answer.ts';
import { auditChange } from './audit-change.ts';
import { principalOf } from './authorization.ts';
import type { HttpApp } from './http-app.ts';
import { page, pageRequest } from './page.ts';
import { requireWholeTenant } from './principal.ts';

const tags = ['audit'];

/** The audit trail concerns the whole tenant, so users limited to stations may not read it. */
export function auditRoutes(app: HttpApp, runtime: Runtime, box: KeyBox | undefined): void {
  app.get(
    '/api/v1/audit',
    {
      config: { permission: 'audit:read' },
      schema: { tags, summary: 'List the audit trail', querystring: ListAudit, response: { 200: AuditPage } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const { from, to, ...filter } = request.query;
        const period = { from: instant('from', from), to: instant('to', to) };
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listAudit(transaction, { ...filter, ...period }, asked);
        return page(rows.map(toWire), asked, total);
      }),
  );
  verificationRoute(app, runtime);
  exportRoute(app, runtime, box);
}

function verificationRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/audit/verification',
    {
      config: { permission: 'audit:read' },
      schema: {
        tags,
        summary: 'Verify the newest entries of the audit trail',
        response: { 200: AuditVerification },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const found = await verifyStoredTrail(transaction, mostVerifiedEntries);
        return verificationToWire(found, transaction.now);
      }),
  );
}

const TrailLines = Type.Unsafe<Readable>({
  type: 'string',
  description: 'Lines of JSON: the tenant, every entry, the signed head.',
});

function exportRoute(app: HttpApp, runtime: Runtime, box: KeyBox | undefined): void {
  app.get(
    '/api/v1/audit/export',
    {
      config: { permission: 'audit:read', audit: { action: 'audit.export', object: 'audit' } },
      schema: {
        tags,
        summary: 'Export the audit trail with its signed head',
        produces: ['application/x-ndjson'],
        response: { 200: TrailLines },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      requireWholeTenant(principal);
      const key = await openAuditKey(runtime.database, box);
      const { end, at } = await inTenant(runtime.database, principal.tenantId, async (transaction) => {
        await auditChange(transaction, request, { id: '' });
        return { end: await auditEnd(transaction), at: transaction.now };
      });
      if (!end) throw new Error('the export itself is in the trail');
      const lines = Readable.from(exportTrail(runtime.database, { end, key, at }));
      return reply.type('application/x-ndjson').send(lines);
    },
  );
}

function verificationToWire(found: TrailVerification, now: Date): AuditVerification {
  const { from, to, isWhole, head, fault } = found;
  return {
    from,
    to,
    isWhole,
    time: now.toISOString(),
    ...(head && { head: { number: head.number, time: head.at, keyId: head.keyId } }),
    ...(fault && { fault: { id: fault.entry, detail: fault.text } }),
  };
}

/** A time without an offset is in UTC, as the times of the trail are. */
function instant(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDateTime(text, 'UTC');
  if (!parsed) throw invalid(name, `${text} is not an ISO 8601 date-time`);
  return parsed;
}

function toWire({ number, hash, entry }: ChainedEntry): AuditEntry {
  const { at, action, object, actor, address, requestId, reason, before, after } = entry;
  return {
    id: number,
    time: at,
    action,
    object,
    actor,
    address,
    requestId,
    reason,
    ...(before !== null && { before }),
    ...(after !== null && { after }),
    hash,
  };
}
