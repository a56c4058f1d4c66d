import { CreatedId, IdParams, ListSitePlans, SitePlan, SitePlanBody, SitePlanPage } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { notFound } from '../common/problem.ts';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import { itemRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { visibleItems } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { requireStation } from '../http/principal.ts';
import { stationStore } from '../plant/station.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readPlan } from './read-plan.ts';
import {
  deleteSitePlan,
  findSitePlan,
  insertSitePlan,
  listSitePlans,
  type SitePlanRow,
  updateSitePlan,
} from './site-plan.store.ts';
import { toSitePlan } from './site-plan.wire.ts';

/** Plans are listed and created under their station, and have an address of their own. */
export function sitePlanRoutes(app: HttpApp, runtime: Runtime): void {
  listRoute(app, runtime);
  createRoute(app, runtime);
  itemRoutes(app, runtime, {
    path: 'plans',
    tag: 'site plans',
    noun: 'site plan',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: SitePlan, body: SitePlanBody },
    find: visibleItems({ find: findSitePlan, list: listSitePlans, toWire: toSitePlan }).find,
    replace: async (context, id, body) => {
      const before = await requirePlan(context, id);
      const plan = await readPlan(context, body, { stationId: before.stationId, before });
      await updateSitePlan(context.transaction, id, plan);
    },
    remove: async (context, id) => {
      await requirePlan(context, id);
      await deleteSitePlan(context.transaction, id);
    },
  });
}

const path = '/api/v1/stations/:id/plans';
const tags = ['site plans'];

function listRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'plant:read' },
      schema: {
        tags,
        summary: 'List the site plans of a station',
        params: IdParams,
        querystring: ListSitePlans,
        response: { 200: SitePlanPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const context = contextOf(request, transaction);
        const { stationIds } = context.principal;
        const { id: stationId } = request.params;
        await requireVisibleStation(context, stationId);
        const asked = pageRequest(request.query);
        const { search } = request.query;
        const { rows, total } = await listSitePlans(transaction, { stationId, stationIds, search }, asked);
        return page(rows.map(toSitePlan), asked, total);
      }),
  );
}

function createRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    path,
    {
      config: { permission: 'plant:write', audit: { action: 'site-plan.create', object: 'site-plan' } },
      schema: {
        tags,
        summary: 'Create a site plan of a station',
        params: IdParams,
        body: SitePlanBody,
        response: { 200: CreatedId },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const context = contextOf(request, transaction);
        const { id: stationId } = request.params;
        await requireVisibleStation(context, stationId);
        const plan = await readPlan(context, request.body, { stationId });
        const id = await insertSitePlan(transaction, plan);
        return { body: id, audit: { id, after: toSitePlan(await requirePlan(context, id)) } };
      }),
  );
}

function contextOf(
  request: Pick<FastifyRequest, 'principal'>,
  transaction: TenantTransaction,
): RequestContext {
  return { transaction, principal: principalOf(request) };
}

async function requireVisibleStation(
  { transaction, principal: { stationIds } }: RequestContext,
  id: number,
): Promise<void> {
  const station = await stationStore.find(transaction, id, { stationIds, forUpdate: false });
  if (!station) throw notFound('station', id);
}

async function requirePlan({ transaction, principal }: RequestContext, id: number): Promise<SitePlanRow> {
  const plan = await findSitePlan(transaction, id, { stationIds: principal.stationIds, forUpdate: false });
  if (!plan) throw notFound('site plan', id);
  requireStation(principal, plan.stationId);
  return plan;
}
