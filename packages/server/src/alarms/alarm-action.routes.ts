import {
  AcknowledgeAlarm,
  Alarm,
  Approval,
  CommentAlarm,
  IdParams,
  MaskAlarm,
  ResetAlarm,
  UnmaskAlarm,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { findTraceParent } from '../escalations/escalation-trace.store.ts';
import { requestMark } from '../http/answer.ts';
import { auditDraft } from '../http/audit-change.ts';
import { principalOf } from '../http/authorization.ts';
import type { AuditRule, HttpApp } from '../http/http-app.ts';
import type { Permission } from '../http/permissions.ts';
import { traceParentOf, traceRequest } from '../http/trace-request.ts';
import type { AskedAction } from '../identity/approvals/approval-request.ts';
import { holdBack } from '../identity/approvals/hold-back.routes.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { actorOf, requireAlarm } from './alarm.routes.ts';
import type { TagCommand, TagOrder } from './decide/alarm-command.ts';
import type { AlarmWriter } from './write/alarm-writer.ts';

type Action<Body extends TSchema> = {
  verb: string;
  summary: string;
  permission: Permission;
  body: Body;
  bodyOptional: boolean;
  audit: AuditRule;
  order: (body: Static<Body>) => TagOrder;
  /** Answers instead of the action, if a second person has to agree. */
  preHandler?: ReturnType<typeof holdBack>;
};

/** The actions of users on an alarm. Each answers the alarm after the change; a repetition changes nothing. */
export function alarmActionRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  const parts = { runtime, writer };
  actionRoute(app, parts, {
    verb: 'acknowledge',
    summary: 'Take an alarm',
    permission: 'alarms:act',
    body: AcknowledgeAlarm,
    bodyOptional: true,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'acknowledge', comment }),
  });
  actionRoute(app, parts, {
    verb: 'reset',
    summary: 'Reset an alarm by hand',
    permission: 'alarms:act',
    body: ResetAlarm,
    bodyOptional: true,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'reset', comment }),
  });
  actionRoute(app, parts, {
    verb: 'comment',
    summary: 'Comment on an alarm',
    permission: 'alarms:act',
    body: CommentAlarm,
    bodyOptional: false,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'comment', comment }),
  });
  actionRoute(app, parts, {
    verb: 'mask',
    summary: 'Mask an alarm for a while: it calls nobody',
    permission: 'alarms:mask',
    body: MaskAlarm,
    bodyOptional: false,
    audit: { action: 'alarm.mask', object: 'alarm' },
    order: ({ reason, seconds }) => ({ kind: 'mask', reason, seconds }),
    preHandler: holdBack(runtime, 'masks', describeMask),
  });
  actionRoute(app, parts, {
    verb: 'unmask',
    summary: 'End the mask of an alarm',
    permission: 'alarms:mask',
    body: UnmaskAlarm,
    bodyOptional: true,
    audit: { action: 'alarm.unmask', object: 'alarm' },
    order: ({ reason = '' }) => ({ kind: 'unmask', reason }),
  });
}

/** Only a mask of the highest priority waits: it would hide what people are called for at night. */
async function describeMask(
  transaction: TenantTransaction,
  request: FastifyRequest,
): Promise<AskedAction | undefined> {
  const { id: alarmId } = request.params as IdParams;
  const { reason, seconds } = request.body as Static<typeof MaskAlarm>;
  const { definition } = await requireAlarm(transaction, alarmId, principalOf(request));
  if (definition.priority !== 1) return undefined;
  const summary = `Mask alarm ${alarmId} (${definition.path}): ${reason}`;
  const asked = { action: 'masks', alarmId, reason, ...(seconds !== undefined && { seconds }) } as const;
  return { request: asked, summary, stationId: definition.stationId };
}

function actionRoute<Body extends TSchema>(
  app: HttpApp,
  { runtime, writer }: { runtime: Runtime; writer: AlarmWriter },
  { verb, summary, permission, body, bodyOptional, audit, order, preHandler }: Action<Body>,
): void {
  app.post(
    `/api/v1/alarms/:id/${verb}`,
    {
      config: { permission, bodyOptional, intake: true, audit },
      schema: {
        tags: ['alarms'],
        summary,
        params: IdParams,
        body,
        response: { 200: Alarm, ...(preHandler && { 202: Approval }) },
      },
      ...(preHandler && { preHandler }),
    },
    (request) => {
      const { id: tagId } = request.params;
      return traceAction(runtime, request, tagId, (traceParent) => {
        const context = {
          tagId,
          actor: actorOf(request),
          mark: requestMark(request),
          audit: typeof audit === 'object' ? auditDraft(request, { id: tagId }) : undefined,
          traceParent,
        };
        const command: TagCommand = { ...order(request.body as Static<Body>), ...context };
        return writer.submit(principalOf(request).tenantId, command);
      });
    },
  );
}

/** Runs an action as a part of the trace of its alarm. The trace of the client, if it has one, is linked. */
async function traceAction<Result>(
  { database, tracing, log }: Runtime,
  request: FastifyRequest,
  tagId: number,
  act: (traceParent: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return act(undefined);
  const parent = await readTenant(database, principalOf(request).tenantId, (transaction) =>
    findTraceParent(transaction, tagId),
  ).catch((error: unknown) => {
    // The action itself tells the client if the database is away.
    log.warn({ err: error, tagId }, 'the trace of an alarm was not found');
    return undefined;
  });
  if (parent === undefined) return act(undefined);
  return traceRequest(tracing, request, { parent, link: traceParentOf(request) }, act);
}
