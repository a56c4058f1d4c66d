import { Desk, DeskBody, DeskPeople } from '@tocsin/contract';
import { Type } from 'typebox';
import { invalid, ProblemError } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { logOut } from '../../identity/sessions/log-out.ts';
import { clearedCookie, readSessionCookie } from '../../identity/sessions/session-cookie.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { endSessionsAtDesk, findDesk, listDeskPeople, makeDesk } from './desk.store.ts';
import { deskSwitchRoute } from './desk-switch.routes.ts';
import { noDesk, requireDesk } from './require-desk.ts';

const tags = ['desks'];
const path = '/api/v1/auth/desk';
const Empty = Type.Null({ description: 'No content.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });
const open = { permission: 'self', atDesk: true } as const;

/** Shared desks: one session stays open, and people act on top of it in their own names. */
export function deskRoutes(app: HttpApp, runtime: Runtime): void {
  openRoute(app, runtime);
  closeRoute(app, runtime);
  peopleRoute(app, runtime);
  deskSwitchRoute(app, runtime);
  leaveRoute(app, runtime);
}

function openRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    path,
    {
      config: { permission: 'self', audit: { action: 'desk.open', object: 'session' } },
      schema: { tags, summary: 'Make this session a shared desk', body: DeskBody, response: { 200: Desk } },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { sessionId } = principalOf(request);
        const name = request.body.name.trim();
        if (name === '') throw invalid('/name', 'must not be empty');
        if (sessionId === undefined || !(await makeDesk(transaction, sessionId, name)))
          throw new ProblemError('not-allowed', 'Only somebody who has logged in here can open a desk');
        return { body: { name }, audit: { id: sessionId, after: { name } } };
      }),
  );
}

/** The session ends: whoever wants the rights of its user again has to know the password. */
function closeRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    path,
    {
      config: { ...open, audit: { action: 'session.close', object: 'session' } },
      schema: { tags, summary: 'Close a shared desk, and end its session', response: { 204: Empty } },
    },
    async (request, reply) => {
      const principal = requireDesk(request);
      const desk = { ...principal, sessionId: principal.desk.sessionId };
      const cookie = readSessionCookie(request);
      const { ownsCookie } = await logOut(runtime, desk, { cookie, origin: auditOrigin(request) });
      if (ownsCookie) void reply.header('set-cookie', clearedCookie(request, `${app.prefix}/api/v1/auth`));
      return reply.code(204).send(null);
    },
  );
}

function peopleRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    `${path}/people`,
    {
      config: open,
      schema: { tags, summary: 'List those who can sign in at this desk', response: { 200: DeskPeople } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { desk, stationIds } = requireDesk(request);
        if (!(await findDesk(transaction, desk.sessionId, { forUpdate: false }))) throw noDesk();
        return { items: await listDeskPeople(transaction, stationIds) };
      }),
  );
}

function leaveRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    `${path}/leave`,
    {
      config: { ...open, bodyOptional: true, audit: { action: 'desk.leave', object: 'session' } },
      schema: { tags, summary: 'Sign out at this desk', body: NoMembers, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { desk, sessionId, name } = requireDesk(request);
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const only = desk.kind === 'person' ? sessionId : undefined;
        const { sessionId: deskSessionId } = desk;
        await endSessionsAtDesk(transaction, { deskSessionId, only, reason: `left by ${name}` });
        return { body: null, audit: { id: deskSessionId } };
      });
      return reply.code(204).send(null);
    },
  );
}
