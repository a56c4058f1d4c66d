import {
  CallInProgress,
  CallInProgressPage,
  CancelCall,
  EndCall,
  IdParams,
  ListCallsInProgress,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { actorOf } from '../../alarms/alarm.routes.ts';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { notFound } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { page, pageRequest } from '../../http/page.ts';
import { maySeeStation, type Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  type EscalationRow,
  endEscalation,
  findEscalation,
  listOpenEscalations,
} from './call-progress.store.ts';
import { toCallInProgress } from './call-progress.wire.ts';

const tags = ['calls'];
/** Ending a call needs the right to act on alarms. */
const endConfig = { permission: 'alarms:act', bodyOptional: true, audit: 'calls' } as const;

export function callProgressRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  listRoute(app, runtime);

  app.get(
    '/api/v1/calls/:id',
    {
      config: { permission: 'calls:read' },
      schema: { tags, summary: 'Read one call', params: IdParams, response: { 200: CallInProgress } },
    },
    (request) => answerRead(runtime, request, (transaction) => readCall(transaction, request)),
  );

  app.post(
    '/api/v1/calls/:id/cancel',
    {
      config: { permission: 'alarms:act', audit: { action: 'call.cancel', object: 'call' } },
      schema: {
        tags,
        summary: 'Stop calling, and say why; a repeat of the alarm calls again',
        params: IdParams,
        body: CancelCall,
        response: { 200: CallInProgress },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { reason } = request.body;
      const { id } = request.params;
      const { occasion, tagId, closedAt } = await answerRead(runtime, request, (transaction) =>
        requireEscalation(transaction, id, principal),
      );
      // The journal is written first: if the server dies in between, people are still called.
      if (occasion === 'raised' && tagId !== null && closedAt === null)
        await writer.submit(principal.tenantId, { kind: 'silence', reason, tagId, actor: actorOf(request) });
      return answerWrite(runtime, { request, reply }, async (transaction) => {
        const before = await readCall(transaction, request);
        await endEscalation(transaction, id, { reason: 'cancelled', by: principal.name, comment: reason });
        const after = await readCall(transaction, request);
        return { body: after, audit: { id, before, after } };
      });
    },
  );

  acknowledgeRoute(app, runtime, writer);
}

function listRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/calls',
    {
      config: { permission: 'calls:read' },
      schema: {
        tags,
        summary: 'List the calls in progress',
        querystring: ListCallsInProgress,
        response: { 200: CallInProgressPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query, { newestFirst: true });
        const { rows, total } = await listOpenEscalations(
          transaction,
          principalOf(request).stationIds,
          asked,
        );
        return page(rows.map(toCallInProgress), asked, total);
      }),
  );
}

function acknowledgeRoute(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.post(
    '/api/v1/calls/:id/acknowledge',
    {
      config: endConfig,
      schema: {
        tags,
        summary: 'Take what people are being called for',
        params: IdParams,
        body: EndCall,
        response: { 200: CallInProgress },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { id } = request.params;
      const escalation = await answerRead(runtime, request, (transaction) =>
        requireEscalation(transaction, id, principal),
      );
      const { occasion, tagId, occurrenceId } = escalation;
      if (occasion === 'raised' && tagId !== null && occurrenceId !== null) {
        const order = { kind: 'acknowledge' as const, comment: request.body.reason, occurrenceId };
        await writer.submit(principal.tenantId, { ...order, tagId, actor: actorOf(request) });
      }
      return answerWrite(runtime, { request, reply }, async (transaction) => {
        const comment = request.body.reason ?? '';
        await endEscalation(transaction, id, { reason: 'acknowledged', by: principal.name, comment });
        return { body: await readCall(transaction, request) };
      });
    },
  );
}

async function readCall(
  transaction: TenantTransaction,
  request: FastifyRequest & { params: { id: number } },
): Promise<CallInProgress> {
  return toCallInProgress(await requireEscalation(transaction, request.params.id, principalOf(request)));
}

async function requireEscalation(
  transaction: TenantTransaction,
  id: number,
  principal: Principal,
): Promise<EscalationRow> {
  const escalation = await findEscalation(transaction, id);
  if (!escalation || !maySeeStation(principal, escalation.stationId)) throw notFound('call', id);
  return escalation;
}
