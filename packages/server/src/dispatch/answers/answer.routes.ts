import { AcknowledgeCall, AnswerForm, CallAnswered, IdParams } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../../common/problem.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { findAnsweredAttempt } from './answer.store.ts';
import { answerCall } from './answer-call.ts';
import type { CallbackServices } from './answer-callback.ts';
import type { AnswerIntent } from './answer-judgement.ts';
import { answerLink, type ShownLink, showAnswerLink } from './answer-link.ts';
import { answerPage, answerPageHeaders } from './answer-page.ts';
import { callbackRoute } from './callback.routes.ts';

const tags = ['answers'];
const TokenParams = Type.Object({ token: Type.String({ maxLength: 512 }) });
const Page = Type.String({ description: 'A page for people.' });
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });
const pages = { 200: Page, 404: Page, 410: Page };

/** The routes with which people and providers answer calls. */
export function answerRoutes(app: HttpApp, services: CallbackServices): void {
  void app.register(async (scope) => linkRoutes(scope as HttpApp, services));
  void app.register(async (scope) => callbackRoute(scope as HttpApp, services));
  acknowledgeRoute(app, services);
  refuseRoute(app, services);
}

/** Registered in a separate scope, because only here a body is a form. */
function linkRoutes(app: HttpApp, services: CallbackServices): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4_096 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );
  const config = { permission: 'public', secretPath: true, audit: 'calls' } as const;
  const send = (reply: FastifyReply, { status, page }: ShownLink) =>
    reply.code(status).headers(answerPageHeaders).send(answerPage(page));

  app.get(
    '/answer/:token',
    {
      config,
      schema: {
        tags,
        summary: 'The page of an answer link',
        produces: ['text/html'],
        params: TokenParams,
        response: pages,
      },
    },
    async (request, reply) => send(reply, await showAnswerLink(services, request.params.token)),
  );

  app.post(
    '/answer/:token',
    {
      config,
      schema: {
        tags,
        summary: 'Answer a call by its link',
        consumes: ['application/x-www-form-urlencoded'],
        produces: ['text/html'],
        params: TokenParams,
        body: AnswerForm,
        response: pages,
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      return send(reply, await answerLink(services, { token, intent: request.body.answer }));
    },
  );
}

function acknowledgeRoute(app: HttpApp, services: CallbackServices): void {
  app.post(
    '/api/v1/calls/attempts/:id/acknowledge',
    {
      // Everybody may answer a call they received, whatever their role.
      config: { permission: 'self', atDesk: true, bodyOptional: true, audit: 'calls' },
      schema: {
        tags,
        summary: 'Answer a call one has got',
        params: IdParams,
        body: AcknowledgeCall,
        response: { 200: CallAnswered },
      },
    },
    (request) =>
      answerOwnCall(services, request, request.body.takeAlarm === true ? ('take' as const) : 'confirm'),
  );
}

function refuseRoute(app: HttpApp, services: CallbackServices): void {
  app.post(
    '/api/v1/calls/attempts/:id/refuse',
    {
      config: { permission: 'self', atDesk: true, bodyOptional: true, audit: 'calls' },
      schema: {
        tags,
        summary: 'Refuse a call one has got: the next person is called at once',
        params: IdParams,
        body: NoMembers,
        response: { 200: CallAnswered },
      },
    },
    (request) => answerOwnCall(services, request, 'refuse'),
  );
}

/** Answers a call in the name of the person who is logged in; the calls of others do not exist for them. */
async function answerOwnCall(
  services: CallbackServices,
  request: FastifyRequest<{ Params: IdParams }>,
  intent: AnswerIntent,
): Promise<CallAnswered> {
  const { id: attemptId } = request.params;
  const { tenantId, userId } = principalOf(request);
  const attempt = await readTenant(services.runtime.database, tenantId, (transaction) =>
    findAnsweredAttempt(transaction, attemptId),
  );
  if (!attempt || attempt.userId !== userId) throw notFound('call of yours', attemptId);
  const answer = { tenantId, attemptId, method: 'interface', intent, proof: { kind: 'logged-in' } } as const;
  const answered = await answerCall(services, answer);
  if (answered?.judgement === 'not-allowed') throw new ProblemError('not-allowed', 'You may not answer');
  return { accepted: answered?.judgement === 'accepted', alarms: answered?.alarms ?? [] };
}
