import { CallGroup, IdParams, RosterOverride } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { invalid, notFound } from '../common/problem.ts';
import { type Answer, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { entityTag, requireVersion } from '../http/entity-tag.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireStation } from '../http/principal.ts';
import { optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type CallGroupRow, findCallGroup, updateCallGroup } from './call-group.store.ts';
import { callGroupToWire } from './call-group.wire.ts';
import { requireOwnDuty } from './own-duty.ts';
import { overrideRecord } from './roster.wire.ts';

const mostOverrides = 1_000;

/** Adds one override, so that people can stand in for others without the right to change the whole roster. */
export function overrideRoutes(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/callgroups/:id/overrides',
    {
      config: { permission: 'self', audit: { action: 'call-group.change', object: 'call-group' } },
      schema: {
        tags: ['callgroups'],
        summary: 'Add an override to the roster: take over a duty, or let a team or a person stand in',
        params: IdParams,
        body: RosterOverride,
        response: { 200: CallGroup },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, (transaction) => addOverride(transaction, request)),
  );
}

async function addOverride(
  transaction: TenantTransaction,
  request: FastifyRequest<{ Params: IdParams; Body: RosterOverride }>,
): Promise<Answer<CallGroup>> {
  const { id } = request.params;
  const principal = principalOf(request);
  const { stationIds } = principal;
  const { body } = request;
  const row = await findCallGroup(transaction, id, { stationIds, forUpdate: true });
  if (!row) throw notFound('call group', id);
  requireOwnDuty(principal, body.userId ?? 0);
  if (body.userId !== principal.userId) requireStation(principal, row.stationId);
  requireVersion(request, row.version);
  await requireReferences(transaction, 'users', {
    references: [
      ...optionalReference('/userId', body.userId),
      ...optionalReference('/replacesUserId', body.replacesUserId),
    ],
    stationIds,
  });
  const after = await saveOverride(transaction, row, body);
  const [before, changed] = [callGroupToWire(row), callGroupToWire(after)];
  return {
    body: changed,
    headers: { etag: entityTag(after.version) },
    audit: { id, before, after: changed },
  };
}

async function saveOverride(
  transaction: TenantTransaction,
  row: CallGroupRow,
  body: RosterOverride,
): Promise<CallGroupRow> {
  if (row.overrides.length >= mostOverrides)
    throw invalid('/from', `The roster has ${mostOverrides} overrides already`);
  const teamIds = new Set(row.teams.map(({ id }) => id));
  const override = overrideRecord(body, '', { teamIds, timeZone: row.timeZone });
  const { id, timeZone: _zone, version: _version, lastChange: _change, ...record } = row;
  await updateCallGroup(transaction, id, { ...record, overrides: [...row.overrides, override] });
  const after = await findCallGroup(transaction, id, { stationIds: undefined, forUpdate: false });
  if (!after) throw notFound('call group', id);
  return after;
}
