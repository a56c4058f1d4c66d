import { AlarmDetail, AlarmPage, CreatedId, IdParams, ListAlarms, RaiseAlarm } from '@tocsin/contract';
import { conditionOf } from '@tocsin/domain';
import type { FastifyRequest } from 'fastify';
import { notFound } from '../common/problem.ts';
import { answerRead, requestMark } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { maySeeStation, type Principal } from '../http/principal.ts';
import { traceParentOf, traceRequest } from '../http/trace-request.ts';
import { needsSecondPerson } from '../identity/approvals/ask-second-person.ts';
import { stationsFor } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { toAlarm, toAlarmDetail } from './decide/alarm.wire.ts';
import type { Actor } from './decide/alarm-command.ts';
import type { AlarmRecord } from './decide/alarm-record.ts';
import { findAlarm, listAlarms } from './store/alarm.store.ts';
import type { AlarmWriter } from './write/alarm-writer.ts';

const tags = ['alarms'];

export function alarmRoutes(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  app.get(
    '/api/v1/alarms',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags,
        summary: 'List the current alarms',
        querystring: ListAlarms,
        response: { 200: AlarmPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { inactiveMasked = 0, ...filter } = request.query;
        const requested = pageRequest(request.query);
        const { tagGroupId, scenarioId, callGroupId } = filter;
        const named = { tagGroups: tagGroupId, scenarios: scenarioId, callGroups: callGroupId };
        const stationIds = await stationsFor(transaction, principalOf(request).stationIds, named);
        const alarmFilter = { ...filter, inactiveMasked: inactiveMasked > 0, stationIds };
        const { records, total } = await listAlarms(transaction, alarmFilter, requested);
        return page(records.map(toAlarm), requested, total);
      }),
  );

  raiseRoute(app, runtime, writer);

  app.get(
    '/api/v1/alarms/:id',
    {
      config: { permission: 'alarms:read' },
      schema: { tags, summary: 'Read one alarm', params: IdParams, response: { 200: AlarmDetail } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        return toAlarmDetail(await requireAlarm(transaction, request.params.id, principalOf(request)));
      }),
  );
}

function raiseRoute(app: HttpApp, runtime: Runtime, writer: AlarmWriter): void {
  const raise = async (request: FastifyRequest, body: RaiseAlarm, traceParent: string | undefined) => {
    const actor = namesCommands(body) ? await definingActorOf(runtime, request) : actorOf(request);
    const command = { kind: 'post' as const, body, actor, mark: requestMark(request), traceParent };
    return (await writer.submit(principalOf(request).tenantId, command)) as number;
  };

  app.post(
    '/api/v1/alarms',
    {
      config: { permission: 'alarms:raise', nullMeansAbsent: true, intake: true, audit: 'journal' },
      schema: { tags, summary: 'Raise an alarm', body: RaiseAlarm, response: { 200: CreatedId } },
    },
    (request) => {
      const { tracing } = runtime;
      const { body } = request;
      if (!tracing) return raise(request, body, undefined);
      return traceRequest(tracing, request, { parent: traceParentOf(request) }, (traceParent) =>
        raise(request, body, traceParent),
      );
    },
  );
}

/** The alarm, if the caller may see it. A temporary tag is not found once its alarm has ended. */
export async function requireAlarm(
  transaction: TenantTransaction,
  id: number,
  principal: Principal,
): Promise<AlarmRecord> {
  const found = await findAlarm(transaction, id);
  const isGone = !found || (found.definition.temporary && conditionOf(found.status.state) === 0);
  if (isGone || !maySeeStation(principal, found.definition.stationId)) throw notFound('alarm', id);
  return found;
}

/** Whether the alarm brings actions that may run a program. */
function namesCommands({ alarmActions = [], resetActions = [], ackActions = [] }: RaiseAlarm): boolean {
  const types = [...alarmActions, ...resetActions, ...ackActions].map(({ type = '' }) => type);
  return types.some((type) => type === 'ExecuteCommand' || type === 'StopCommand' || type === 'Scenario');
}

/**
 * The sender of something that may define commands. An alarm cannot wait for a second person, so in a tenant that wants
 * two people for commands it is taken without new ones; scenarios and tag groups can bring them.
 */
export async function definingActorOf({ database }: Runtime, request: FastifyRequest): Promise<Actor> {
  const actor = actorOf(request);
  if (actor.mayRunCommands !== true) return actor;
  const isHeldBack = await readTenant(database, principalOf(request).tenantId, (transaction) =>
    needsSecondPerson(transaction, 'commands'),
  );
  return { ...actor, mayRunCommands: !isHeldBack };
}

export function actorOf(request: FastifyRequest): Actor {
  const { name, subject, userId, stationIds, permissions, tagOwner, binding } = principalOf(request);
  return {
    name,
    subject,
    userId,
    stationIds,
    mayRunCommands: permissions.has('commands:run'),
    mayDefine: permissions.has('alarms:define'),
    mayAct: permissions.has('alarms:act'),
    tagOwner,
    binding,
  };
}
