import { AcknowledgeCall, AnswerForm, CallAnswered, IdParams, ProviderCallback } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { notFound, ProblemError } from '../problem.ts';
import { findAnsweredAttempt } from './answer.store.ts';
import { answerCall } from './answer-call.ts';
import { answerCallback, type CallbackMeans } from './answer-callback.ts';
import { answerLink, type ShownLink, showAnswerLink } from './answer-link.ts';
import { answerPage, answerPageHeaders } from './answer-page.ts';

const tags = ['answers'];
const TokenParams = Type.Object({ token: Type.String({ maxLength: 512 }) });
const Page = Type.String({ description: 'A page for people.' });
const pages = { 200: Page, 404: Page, 410: Page };
const Heard = Type.Null({ description: 'It was heard.' });

/** How people answer the calls they get. */
export function answerRoutes(app: HttpApp, means: CallbackMeans): void {
  void app.register(async (scope) => linkRoutes(scope as HttpApp, means));
  void app.register(async (scope) => callbackRoute(scope as HttpApp, means));
  acknowledgeRoute(app, means);
}

/** In a scope of its own: here a body is a form, and nothing else is. */
function linkRoutes(app: HttpApp, means: CallbackMeans): void {
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
    async (request, reply) => send(reply, await showAnswerLink(means, request.params.token)),
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
      return send(reply, await answerLink(means, { token, intent: request.body.answer }));
    },
  );
}

/** In a scope of its own: what was signed is the text of the body, letter by letter. */
function callbackRoute(app: HttpApp, means: CallbackMeans): void {
  const texts = new WeakMap<FastifyRequest, string>();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: 16_384 },
    (request, sent, done) => {
      texts.set(request, String(sent));
      void parse(request, String(sent), done);
    },
  );

  app.post(
    '/api/v1/channels/:id/callback',
    {
      config: { permission: 'public', audit: 'calls' },
      schema: {
        tags,
        summary: 'Hear from a provider what became of a call',
        params: IdParams,
        body: ProviderCallback,
        response: { 204: Heard },
      },
    },
    async (request, reply) => {
      const { attemptId: attemptName } = request.body;
      const text = texts.get(request) ?? '';
      const { headers, params } = request;
      const heard = await answerCallback(means, { channelId: params.id, attemptName, headers, text });
      // Nobody learns from it which attempts there are.
      if (!heard) throw new ProblemError('not-allowed', 'The report is not signed by the channel');
      return reply.code(204).send(null);
    },
  );
}

function acknowledgeRoute(app: HttpApp, means: CallbackMeans): void {
  app.post(
    '/api/v1/calls/attempts/:id/acknowledge',
    {
      // Whoever was called may answer, whatever else he may do here.
      config: { permission: 'self', bodyOptional: true, audit: 'calls' },
      schema: {
        tags,
        summary: 'Answer a call one has got',
        params: IdParams,
        body: AcknowledgeCall,
        response: { 200: CallAnswered },
      },
    },
    async (request) => {
      const { id: attemptId } = request.params;
      const { tenantId, userId } = principalOf(request);
      const attempt = await readTenant(means.runtime.database, tenantId, (transaction) =>
        findAnsweredAttempt(transaction, attemptId),
      );
      if (!attempt || attempt.userId !== userId) throw notFound('call of yours', attemptId);
      const intent = request.body.takeAlarm === true ? ('take' as const) : ('confirm' as const);
      const answer = { tenantId, attemptId, way: 'interface', intent, proof: { kind: 'logged-in' } } as const;
      const answered = await answerCall(means, answer);
      if (answered?.judgement === 'not-allowed') throw new ProblemError('not-allowed', 'You may not answer');
      return { accepted: answered?.judgement === 'accepted', alarms: answered?.alarms ?? [] };
    },
  );
}
