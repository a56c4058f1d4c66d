import { IdParams, ProviderCallback, ProviderCallbackQuery } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { answerCallback, type CallbackServices } from './answer-callback.ts';

const Received = Type.Null({ description: 'It was heard.' });
const Instructions = Type.String({ description: 'What the provider is to do next, in its own format.' });
const bodyLimit = 16_384;

/** Registered in a separate scope, because the signature covers the unparsed body. */
export function callbackRoute(app: HttpApp, services: CallbackServices): void {
  const bodies = keepBodies(app);
  const basePath = app.prefix;

  app.post(
    '/api/v1/channels/:id/callback',
    {
      config: { permission: 'public', audit: 'calls' },
      schema: {
        tags: ['answers'],
        summary: 'Hear from a provider what became of a call',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        produces: ['text/xml'],
        params: IdParams,
        querystring: ProviderCallbackQuery,
        body: ProviderCallback,
        response: { 200: Instructions, 204: Received },
      },
    },
    async (request, reply) => {
      const { headers, params, query } = request;
      const response = await answerCallback(services, {
        channelId: params.id,
        attemptName: query.attempt ?? request.body.attemptId ?? '',
        tenantId: query.tenant === undefined ? undefined : Number(query.tenant),
        // A proxy may change the host and the path. Providers sign the URL that they were given.
        url: `${services.publicUrl}${request.originalUrl.slice(basePath.length)}`,
        headers,
        body: bodies.get(request) ?? '',
      });
      // The same answer for all cases, so that it does not reveal which attempts exist.
      if (!response) throw new ProblemError('not-allowed', 'The report is not signed by the channel');
      if (response.contentType === '') return reply.code(204).send(null);
      return reply.code(200).type(response.contentType).send(response.body);
    },
  );
}

/** Parses JSON and forms, and keeps the text of each body. */
function keepBodies(app: HttpApp): WeakMap<FastifyRequest, string> {
  const bodies = new WeakMap<FastifyRequest, string>();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (request, sent, done) => {
    bodies.set(request, String(sent));
    void parse(request, String(sent), done);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (request, sent, done) => {
      bodies.set(request, String(sent));
      done(null, Object.fromEntries(new URLSearchParams(String(sent))));
    },
  );
  return bodies;
}
