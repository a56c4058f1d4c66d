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
import { requestMark } from '../http/answer.ts';
import { auditDraft } from '../http/audit-change.ts';
import { principalOf } from '../http/authorization.ts';
import type { AuditRule, HttpApp } from '../http/http-app.ts';
import type { Permission } from '../http/permissions.ts';
import type { AskedAction } from '../identity/approvals/approval-request.ts';
import { holdBack } from '../identity/approvals/hold-back.routes.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
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
  actionRoute(app, writer, {
    verb: 'acknowledge',
    summary: 'Take an alarm',
    permission: 'alarms:act',
    body: AcknowledgeAlarm,
    bodyOptional: true,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'acknowledge', comment }),
  });
  actionRoute(app, writer, {
    verb: 'reset',
    summary: 'Reset an alarm by hand',
    permission: 'alarms:act',
    body: ResetAlarm,
    bodyOptional: true,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'reset', comment }),
  });
  actionRoute(app, writer, {
    verb: 'comment',
    summary: 'Comment on an alarm',
    permission: 'alarms:act',
    body: CommentAlarm,
    bodyOptional: false,
    audit: 'journal',
    order: ({ comment }) => ({ kind: 'comment', comment }),
  });
  actionRoute(app, writer, {
    verb: 'mask',
    summary: 'Mask an alarm for a while: it calls nobody',
    permission: 'alarms:mask',
    body: MaskAlarm,
    bodyOptional: false,
    audit: { action: 'alarm.mask', object: 'alarm' },
    order: ({ reason, seconds }) => ({ kind: 'mask', reason, seconds }),
    preHandler: holdBack(runtime, 'masks', describeMask),
  });
  actionRoute(app, writer, {
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
  writer: AlarmWriter,
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
    async (request) => {
      const { id: tagId } = request.params;
      const context = {
        tagId,
        actor: actorOf(request),
        mark: requestMark(request),
        audit: typeof audit === 'object' ? auditDraft(request, { id: tagId }) : undefined,
      };
      const command: TagCommand = { ...order(request.body as Static<Body>), ...context };
      return writer.submit(principalOf(request).tenantId, command);
    },
  );
}
