import {
  GuidanceBody,
  type GuidanceObject,
  GuidanceVersionPage,
  IdParams,
  ListGuidanceVersions,
  ObjectGuidance,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { RequestContext } from '../http/collection.ts';
import { entityTag } from '../http/entity-tag.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { changeGuidance, deleteGuidance } from './change-guidance.ts';
import { findTarget } from './find-target.ts';
import { findNewestGuidance, listGuidanceVersions } from './guidance.store.ts';
import { toGuidanceVersion, toObjectGuidance } from './guidance.wire.ts';

/** The objects of guidance: the collection of each, and its name in the audit trail. */
const places: Record<GuidanceObject, { rows: string; noun: string; audited: string }> = {
  tag: { rows: 'tags', noun: 'tag', audited: 'tag' },
  tagGroup: { rows: 'taggroups', noun: 'tag group', audited: 'tag-group' },
  station: { rows: 'stations', noun: 'station', audited: 'station' },
};

const Empty = Type.Null({ description: 'No content.' });

/** The guidance that is written for stations, tag groups and tags, with its versions. */
export function guidanceRoutes(app: HttpApp, runtime: Runtime): void {
  for (const object of Object.keys(places) as GuidanceObject[]) {
    readRoute(app, runtime, object);
    versionsRoute(app, runtime, object);
    replaceRoute(app, runtime, object);
    deleteRoute(app, runtime, object);
  }
}

const pathOf = (object: GuidanceObject) => `/api/v1/${places[object].rows}/:id/guidance`;
const described = (object: GuidanceObject) => ({ tags: [places[object].rows], params: IdParams });

function contextOf(request: Pick<FastifyRequest, 'principal'>, transaction: TenantTransaction) {
  return { transaction, principal: principalOf(request) } satisfies RequestContext;
}

function readRoute(app: HttpApp, runtime: Runtime, object: GuidanceObject): void {
  app.get(
    pathOf(object),
    {
      config: { permission: 'alarms:read' },
      schema: {
        ...described(object),
        summary: `The guidance of a ${places[object].noun} itself`,
        response: { 200: ObjectGuidance },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await answerRead(runtime, request, async (transaction) => {
        const target = await findTarget(contextOf(request, transaction), { object, id });
        const row = await findNewestGuidance(transaction, target);
        return { version: row?.version ?? 0, body: toObjectGuidance(row, target.timeZone) };
      });
      reply.header('etag', entityTag(found.version));
      return found.body;
    },
  );
}

function versionsRoute(app: HttpApp, runtime: Runtime, object: GuidanceObject): void {
  app.get(
    `${pathOf(object)}/versions`,
    {
      config: { permission: 'alarms:read' },
      schema: {
        ...described(object),
        summary: `All versions of the guidance of a ${places[object].noun}, the newest first`,
        querystring: ListGuidanceVersions,
        response: { 200: GuidanceVersionPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { id } = request.params;
        const asked = pageRequest(request.query);
        const target = await findTarget(contextOf(request, transaction), { object, id });
        const { rows, total } = await listGuidanceVersions(transaction, target, asked);
        const items = rows.map((row) => toGuidanceVersion(row, target.timeZone));
        return page(items, asked, total);
      }),
  );
}

function writeConfig(object: GuidanceObject, verb: string) {
  return {
    permission: 'plant:write',
    audit: { action: `guidance.${verb}`, object: places[object].audited },
  } as const;
}

function replaceRoute(app: HttpApp, runtime: Runtime, object: GuidanceObject): void {
  app.put(
    pathOf(object),
    {
      config: writeConfig(object, 'change'),
      schema: {
        ...described(object),
        summary: `Write a new version of the guidance of a ${places[object].noun}`,
        body: GuidanceBody,
        response: { 200: ObjectGuidance },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, (transaction) => {
        const target = { object, id: request.params.id };
        return changeGuidance(contextOf(request, transaction), target, request);
      }),
  );
}

function deleteRoute(app: HttpApp, runtime: Runtime, object: GuidanceObject): void {
  app.delete(
    pathOf(object),
    {
      config: writeConfig(object, 'delete'),
      schema: {
        ...described(object),
        summary: `Delete the guidance of a ${places[object].noun}; its versions stay`,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, (transaction) => {
        const target = { object, id: request.params.id };
        return deleteGuidance(contextOf(request, transaction), target, request);
      });
      return reply.code(204).send(null);
    },
  );
}
