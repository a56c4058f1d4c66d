import { Approval, ApprovalDecision, ApprovalPage, IdParams, PagingQuery } from '@tocsin/contract';
import { Type } from 'typebox';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { notFound } from '../common/problem.ts';
import { answerRead } from '../http/answer.ts';
import { auditOrigin } from '../http/audit-origin.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { findApproval, listApprovals } from '../identity/approvals/approval.store.ts';
import { toApproval } from '../identity/approvals/approval.wire.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { viewerOf } from './approval-viewer.ts';
import { decideApproval } from './decide-approval.ts';

const tags = ['approvals'];
const { offset, limit, sort } = PagingQuery;
const ListApprovals = Type.Object({ offset, limit, sort }, { title: 'ListApprovals' });

/** Dangerous actions that wait for a second person. Callers see what they have asked for and what they may decide. */
export function approvalRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.get(
    '/api/v1/approvals',
    {
      config: { permission: 'self', atDesk: true },
      schema: {
        tags,
        summary: 'List actions that wait for a second person, or did',
        querystring: ListApprovals,
        response: { 200: ApprovalPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listApprovals(transaction, viewerOf(principalOf(request)), asked);
        return page(
          rows.map((row) => toApproval(row, transaction.now)),
          asked,
          total,
        );
      }),
  );

  app.get(
    '/api/v1/approvals/:id',
    {
      config: { permission: 'self', atDesk: true },
      schema: { tags, summary: 'Read one approval', params: IdParams, response: { 200: Approval } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { id } = request.params;
        const viewer = viewerOf(principalOf(request));
        const row = await findApproval(transaction, viewer, { id, forUpdate: false });
        if (!row) throw notFound('approval', id);
        return toApproval(row, transaction.now);
      }),
  );

  decisionRoute(app, runtime, writer);
}

function decisionRoute(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.post(
    '/api/v1/approvals/:id/decision',
    {
      config: { permission: 'self', atDesk: true, audit: { action: 'approval.decide', object: 'approval' } },
      schema: {
        tags,
        summary: 'Approve, refuse or withdraw an action',
        params: IdParams,
        body: ApprovalDecision,
        response: { 200: Approval },
      },
    },
    (request) =>
      decideApproval(runtime, writer, {
        id: request.params.id,
        principal: principalOf(request),
        origin: auditOrigin(request),
        ...request.body,
      }),
  );
}
