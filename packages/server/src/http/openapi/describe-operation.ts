import { Problem, problems } from '@tocsin/contract';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** An extension that the plugin passes on; it is removed from the finished document. */
export const bodyOptional = 'x-body-optional';

/** A route as `@fastify/swagger` passes it. */
export type DescribedRoute = {
  method: string;
  /** Without the base path. */
  path: string;
  schema: FastifySchema;
  config: FastifyContextConfig;
};

/** Adds to the schema of a route its operation id, its problems and the shared headers. */
export function describeOperation(route: DescribedRoute): FastifySchema {
  const { method, path, schema, config } = route;
  const headers = config.permission === 'public' ? {} : sharedHeaders(route);
  return {
    ...schema,
    operationId: schema.operationId ?? operationId(method, path),
    ...(config.permission === 'public' && { security: [] }),
    ...(Object.keys(headers).length > 0 && { headers: Type.Object(headers) }),
    ...(config.bodyOptional === true && { [bodyOptional]: true }),
    response: { ...problemResponses(route), ...ownResponses(schema.response as Responses) },
  };
}

/** `GET /api/v1/alarms/:id/timeline` → `getAlarmsByIdTimeline`: unique, since method and path are. */
function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api\/v1/, '')
    .replaceAll(':', 'by-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const capitals = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return [method.toLowerCase(), ...capitals].join('');
}

function sharedHeaders({ method, schema }: DescribedRoute): Record<string, TSchema> {
  if (method === 'GET') return {};
  const isReplaced = (method === 'PUT' || method === 'DELETE') && schema.params !== undefined;
  return {
    'idempotency-key': Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The same request with the same key gets the first answer again, for 24 hours.',
      }),
    ),
    ...(isReplaced && {
      'if-match': Type.Optional(
        Type.String({ description: 'The ETag that was seen last: a newer one makes the answer 412.' }),
      ),
    }),
  };
}

type Responses = Record<string, { description?: string }>;

/** The member from which the plugin takes the description of an answer. */
const responseDescription = 'x-response-description';

function ownResponses(responses: Responses): Responses {
  const entries = Object.entries(responses).map(([status, schema]) => [
    status,
    {
      ...schema,
      [responseDescription]: schema.description ?? (status.startsWith('2') ? 'Success.' : 'Refused.'),
    },
  ]);
  return Object.fromEntries(entries);
}

function problemResponses(route: DescribedRoute): Record<number, unknown> {
  const entries = problemStatuses(route).map((status) => [status, problemResponse(status)] as const);
  return Object.fromEntries(entries);
}

function problemStatuses({ method, path, schema, config }: DescribedRoute): number[] {
  const { permission, unlimited } = config;
  const hasBody = schema.body !== undefined;
  const applies: [status: number, when: boolean][] = [
    [400, hasBody || schema.querystring !== undefined || schema.params !== undefined],
    [401, permission !== 'public'],
    [403, permission !== 'public' && permission !== 'self'],
    [404, schema.params !== undefined],
    [409, method !== 'GET' && permission !== 'public'],
    [412, (method === 'PUT' || method === 'DELETE') && schema.params !== undefined],
    [413, hasBody],
    [415, hasBody],
    [429, unlimited !== true],
    [503, path !== '/livez'],
  ];
  return applies.filter(([, when]) => when).map(([status]) => status);
}

function problemResponse(status: number): object {
  const titles = Object.values(problems).filter((problem) => problem.status === status);
  const retryAfter = { 'retry-after': { type: 'integer', description: 'Seconds to wait.' } };
  return {
    description: titles.map(({ title }) => `${title}.`).join(' '),
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    content: { 'application/problem+json': { schema: Problem } },
  };
}
