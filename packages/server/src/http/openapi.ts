import swagger from '@fastify/swagger';
import { Type } from 'typebox';
import { describeOperation } from './describe-operation.ts';
import { finishDocument, type OpenApiDocument } from './finish-document.ts';
import { hoistSchemas } from './hoist-schemas.ts';
import type { HttpApp } from './http-app.ts';

const description = `Alarms come in, and people are called until one of them acts.

Problems are answered as \`application/problem+json\` (RFC 9457); their \`code\` is stable. Answers carry \`RateLimit\`
headers. Members of a body and query parameters that the server does not know are ignored.`;

const tags = [
  {
    name: 'alarms',
    description:
      'What is and was wrong at the plant: raising, listing, acknowledging, histories and statistics.',
  },
  { name: 'calls', description: 'Calling people, and what came of it.' },
  {
    name: 'answers',
    description: 'How people answer the calls they get, and what providers report of them.',
  },
  { name: 'dispatch', description: 'What holds for all calls of the tenant.' },
  { name: 'callgroups', description: 'Whom to call, in which order.' },
  { name: 'callgroupgroupings', description: 'Folders of call groups.' },
  { name: 'channels', description: 'The ways out to people: mail servers, webhooks, phone companies.' },
  { name: 'commands', description: 'Programs that alarms ask for, and what became of them.' },
  { name: 'stations', description: 'The sites of the plant, each in its time zone.' },
  { name: 'dataservers', description: 'What alarms come from: controllers, gateways, programs.' },
  { name: 'taggroups', description: 'Folders of alarm points.' },
  { name: 'scenarios', description: 'Actions that several alarms share.' },
  { name: 'mediafiles', description: 'Recorded messages and attachments.' },
  { name: 'users', description: 'People: how they are reached and what they may do.' },
  { name: 'apikeys', description: 'Keys of machines.' },
  { name: 'audit', description: 'Who changed what, when and from where.' },
  { name: 'auth', description: 'Getting and giving back an access token.' },
  { name: 'setup', description: 'The first administrator of an empty installation.' },
  { name: 'meta', description: 'What the server is, and the words and limits of the interface.' },
  { name: 'health', description: 'Probes for whoever runs the server.' },
];

/** Describes all routes registered after it; `openApiDocument` gives the result once the app is ready. */
export function describeRoutes(app: HttpApp, { basePath, version }: { basePath: string; version: string }) {
  void app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Tocsin',
        version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: basePath || '/' }],
      tags,
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token of `POST /api/v1/auth/login`, or an API key.',
          },
        },
      },
    },
    transform: ({ schema, url, route: { method, config = {} } }) => {
      if (schema?.hide === true) return { url, schema };
      const path = url.slice(basePath.length);
      return { url, schema: describeOperation({ method: [method].flat().join(), path, schema, config }) };
    },
  });
}

/** The OpenAPI document of an app that is ready. */
export function openApiDocument(app: HttpApp): object {
  return finishDocument(hoistSchemas(app.swagger() as OpenApiDocument));
}

export function openApiRoute(app: HttpApp): void {
  let text: string | undefined;
  app.get(
    '/openapi.json',
    { config: { permission: 'public' }, schema: { hide: true, response: { 200: Type.String() } } },
    async (_request, reply) => {
      text ??= JSON.stringify(openApiDocument(app));
      reply.type('application/json');
      return text;
    },
  );
}
