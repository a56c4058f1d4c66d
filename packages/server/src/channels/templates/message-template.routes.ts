import {
  MessageTemplate,
  MessageTemplateBody,
  MessageTemplateParams,
  MessageTemplates,
} from '@tocsin/contract';
import { formatUtc, templatePlaceholders, unknownPlaceholders } from '@tocsin/domain';
import { Type } from 'typebox';
import { invalid, notFound } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { requireWholeTenant } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import {
  deleteTemplate,
  findTemplate,
  listTemplates,
  saveTemplate,
  type TemplateRow,
} from './message-template.store.ts';

const tags = ['message-templates'];
const collection = '/api/v1/message-templates';
const one = `${collection}/:medium/:language`;
const object = 'message-template';
const Empty = Type.Null({ description: 'No content.' });

/** The tenant's own texts of messages. Like channels they belong to the whole tenant. */
export function messageTemplateRoutes(app: HttpApp, runtime: Runtime): void {
  listRoute(app, runtime);
  saveRoute(app, runtime);
  deleteRoute(app, runtime);
}

function listRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    collection,
    {
      config: { permission: 'channels:read' },
      schema: { tags, summary: 'List message templates', response: { 200: MessageTemplates } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const items = (await listTemplates(transaction)).map(toWire);
        return { items, placeholders: [...templatePlaceholders] };
      }),
  );
}

function saveRoute(app: HttpApp, runtime: Runtime): void {
  app.put(
    one,
    {
      config: { permission: 'channels:write', audit: { action: `${object}.change`, object } },
      schema: {
        tags,
        summary: 'Set the message template of a medium and language',
        params: MessageTemplateParams,
        body: MessageTemplateBody,
        response: { 200: MessageTemplate },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const { subject = '', body } = request.body;
        requireKnownPlaceholders('/subject', subject);
        requireKnownPlaceholders('/body', body);
        const before = await findTemplate(transaction, request.params);
        await saveTemplate(transaction, { ...request.params, subject, body });
        const after = { ...request.params, subject, body, lastChange: formatUtc(transaction.now) };
        return { body: after, audit: { id: idOf(after), before: before && toWire(before), after } };
      }),
  );
}

function deleteRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    one,
    {
      config: { permission: 'channels:write', audit: { action: `${object}.delete`, object } },
      schema: {
        tags,
        summary: 'Delete a message template',
        params: MessageTemplateParams,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const before = await findTemplate(transaction, request.params);
        if (!before) throw notFound('message template', idOf(request.params));
        await deleteTemplate(transaction, request.params);
        return { body: null, audit: { id: idOf(before), before: toWire(before) } };
      });
      return reply.code(204).send(null);
    },
  );
}

function requireKnownPlaceholders(pointer: string, template: string): void {
  const unknown = unknownPlaceholders(template);
  if (unknown.length === 0) return;
  const known = templatePlaceholders.map((name) => `{${name}}`).join(' ');
  throw invalid(pointer, `has unknown placeholders: ${unknown.join(' ')}. Known are ${known}`);
}

function idOf({ medium, language }: MessageTemplateParams): string {
  return `${medium}/${language}`;
}

function toWire({ medium, language, subject, body, lastChange }: TemplateRow): MessageTemplate {
  return { medium, language, subject, body, lastChange: formatUtc(lastChange) };
}
