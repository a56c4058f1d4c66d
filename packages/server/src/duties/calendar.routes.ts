import {
  type Calendar,
  CalendarBody,
  CalendarPage,
  CalendarQuery,
  CreatedCalendar,
  IdParams,
  ListCalendars,
} from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../common/problem.ts';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { newSecret, sha256 } from '../identity/tokens/secret.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import { optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type CalendarRow, insertCalendar, listCalendars, revokeCalendar } from './calendar.store.ts';
import { writeCalendarToken } from './calendar-token.ts';
import { type CalendarOf, readCalendar } from './read-calendar.ts';

const tags = ['calendars'];
const Empty = Type.Null({ description: 'No content.' });

/** Addresses by which calendar programs read duties. */
export function calendarRoutes(app: HttpApp, runtime: Runtime): void {
  listRoute(app, runtime);
  createRoute(app, runtime);
  revokeRoute(app, runtime);
  feedRoutes(app, runtime);
}

function listRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/calendars',
    {
      config: { permission: 'self' },
      schema: {
        tags,
        summary: 'List your own calendar addresses, without their secrets',
        querystring: ListCalendars,
        response: { 200: CalendarPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query);
        const zone = await zoneOfStation(transaction, undefined);
        const { rows, total } = await listCalendars(transaction, ownerOf(request), asked);
        return page(
          rows.map((row) => toWire(row, zone)),
          asked,
          total,
        );
      }),
  );
}

function createRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/calendars',
    {
      config: { permission: 'self', audit: { action: 'calendar.create', object: 'calendar' } },
      schema: {
        tags,
        summary: 'Create a secret address by which a calendar program reads duties, your own or of a group',
        body: CalendarBody,
        response: { 200: CreatedCalendar },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const userId = ownerOf(request);
        const { stationIds, permissions, name, role } = principalOf(request);
        const { callGroupId = 0 } = request.body;
        if (callGroupId !== 0 && !permissions.has('callgroups:read'))
          throw new ProblemError('not-allowed', `${name} (${role}) lacks callgroups:read`);
        await requireReferences(transaction, 'callGroups', {
          references: optionalReference('/callGroupId', callGroupId),
          stationIds,
        });
        const secret = newSecret();
        const calendar = { userId, callGroupId: callGroupId || null, secretHash: sha256(secret) };
        const row = await insertCalendar(transaction, calendar);
        const token = writeCalendarToken({ tenantId: transaction.tenantId, id: row.id, secret });
        const after = toWire(row, await zoneOfStation(transaction, undefined));
        return { body: { ...after, path: pathOf(row, token) }, audit: { id: row.id, before: null, after } };
      }),
  );
}

function revokeRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    '/api/v1/calendars/:id',
    {
      config: { permission: 'self', audit: { action: 'calendar.revoke', object: 'calendar' } },
      schema: {
        tags,
        summary: 'Revoke one of your calendar addresses',
        params: IdParams,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const row = await revokeCalendar(transaction, { id, userId: ownerOf(request) });
        if (!row) throw notFound('calendar', id);
        const before = toWire(row, await zoneOfStation(transaction, undefined));
        return { body: null, audit: { id, before, after: null } };
      });
      return reply.code(204).send(null);
    },
  );
}

/** A token in the address is the only right that calendar programs can show, so it opens nothing but one calendar. */
function feedRoutes(app: HttpApp, runtime: Runtime): void {
  const options = (summary: string) => ({
    config: { permission: 'public' as const },
    schema: {
      tags,
      summary,
      produces: ['text/calendar'],
      params: IdParams,
      querystring: CalendarQuery,
      response: { 200: Type.String({ description: 'A calendar of RFC 5545.' }) },
    },
  });
  const send = async (reply: FastifyReply, token: string | undefined, of: CalendarOf) => {
    const text = await readCalendar(runtime, token ?? '', of);
    if (text === undefined) throw new ProblemError('not-found', 'There is no such calendar');
    return reply
      .headers({ 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'private, no-store' })
      .send(text);
  };
  app.get(
    '/api/v1/users/:id/calendar.ics',
    options('The duties of a person as a calendar; the address contains a secret'),
    (request, reply) => send(reply, request.query.token, { userId: request.params.id }),
  );
  app.get(
    '/api/v1/callgroups/:id/calendar.ics',
    options('The duties of a call group as a calendar; the address contains a secret'),
    (request, reply) => send(reply, request.query.token, { callGroupId: request.params.id }),
  );
}

function ownerOf(request: FastifyRequest): number {
  const { userId, name } = principalOf(request);
  if (userId === undefined) throw new ProblemError('not-allowed', `${name} is no user and has no calendar`);
  return userId;
}

function pathOf({ userId, callGroupId }: CalendarRow, token: string): string {
  const owner = callGroupId === null ? `users/${userId}` : `callgroups/${callGroupId}`;
  return `/api/v1/${owner}/calendar.ics?token=${token}`;
}

function toWire({ id, callGroupId, createdAt, lastUsedAt }: CalendarRow, zone: string): Calendar {
  return {
    id,
    ...(callGroupId !== null && { callGroupId }),
    createdAt: formatInZone(zone, createdAt),
    ...(lastUsedAt && { lastUsedAt: formatInZone(zone, lastUsedAt) }),
  };
}
