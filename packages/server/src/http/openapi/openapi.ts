import swagger from '@fastify/swagger';
import { Type } from 'typebox';
import type { HttpApp } from '../http-app.ts';
import { describeOperation } from './describe-operation.ts';
import { finishDocument, type OpenApiDocument } from './finish-document.ts';
import { hoistSchemas } from './hoist-schemas.ts';

const description = `Takes alarms, and calls people until one of them acts.

Problems are answered as \`application/problem+json\` (RFC 9457); their \`code\` is stable. Answers carry \`RateLimit\`
headers. Members of a body and query parameters that the server does not know are ignored.`;

const tags = [
  {
    name: 'alarms',
    description: 'Alarms of the plant: raising, listing, acknowledging, histories and statistics.',
  },
  { name: 'console', description: 'What the operator console shows and keeps besides the alarms.' },
  { name: 'leaves', description: 'Times in which people are not called, because they are on leave.' },
  { name: 'calendars', description: 'Addresses at which calendar programs read duties.' },
  { name: 'shifts', description: 'Notes that two shifts sign, and what happened in a shift.' },
  { name: 'tags', description: 'Tags: their last values, and what to do about their alarms.' },
  {
    name: 'site plans',
    description: 'Pictures of stations, with the places of tags, tag groups and beacons.',
  },
  { name: 'calls', description: 'Calls to people and their outcomes.' },
  {
    name: 'answers',
    description: 'Answers of people to calls, and reports of providers.',
  },
  { name: 'dispatch', description: 'Settings for all calls of the tenant.' },
  { name: 'callgroups', description: 'People to call, and their order.' },
  { name: 'callgroupgroupings', description: 'Folders of call groups.' },
  { name: 'channels', description: 'Connections to mail servers, webhooks and phone providers.' },
  { name: 'message-templates', description: "The tenant's own texts of messages." },
  { name: 'commands', description: 'Programs that alarms run, and their results.' },
  { name: 'stations', description: 'The sites of the plant, each in its time zone.' },
  { name: 'dataservers', description: 'Sources of alarms: controllers, gateways, programs.' },
  { name: 'taggroups', description: 'Folders of alarm points.' },
  { name: 'scenarios', description: 'Actions that several alarms share.' },
  { name: 'mediafiles', description: 'Recorded messages and attachments.' },
  { name: 'users', description: 'People, their contact data and their rights.' },
  { name: 'apikeys', description: 'API keys of machines.' },
  { name: 'audit', description: 'Record of changes, log-ins and refusals.' },
  { name: 'auth', description: 'Log-in and log-out.' },
  { name: 'desks', description: 'Shared desks, where people sign in with a PIN or a badge.' },
  { name: 'approvals', description: 'Dangerous actions that wait for a second person.' },
  { name: 'security', description: 'Rules of the tenant for log-ins and dangerous actions.' },
  { name: 'issuers', description: 'OpenID Connect issuers through which people sign in.' },
  { name: 'directory', description: 'The LDAP directory that checks passwords of people.' },
  { name: 'setup', description: 'The first administrator of an empty installation.' },
  { name: 'meta', description: 'Version, enumerations and limits of the interface.' },
  { name: 'health', description: 'Probes for operators.' },
];

/** Describes all routes registered after this call; `openApiDocument` returns the result once the app is ready. */
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
