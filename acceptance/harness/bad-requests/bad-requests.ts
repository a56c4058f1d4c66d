import {
  CallGroupBody,
  CallGroupGroupingBody,
  CallGroups,
  CallUsers,
  ListAlarms,
  ListCallGroupGroupings,
  ListCallGroups,
  ListCallHistories,
  ListHistories,
  RaiseAlarm,
} from '@tocsin/contract';
import fc from 'fast-check';
import { badObject, goodValue, type Schema, writeJson } from './bad-values.ts';
import {
  badDates,
  badEndings,
  badKeys,
  badSorts,
  badTokens,
  badUints,
  brokenEscapes,
  brokenJson,
  contentTypes,
  methods,
  notObjects,
  poison,
} from './bad-words.ts';

export type Endpoint = { method: 'GET' | 'POST'; path: string; schema: Schema };

/** The twelve endpoints of section 4 of the interface. */
export const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/v1/alarms', schema: ListAlarms },
  { method: 'POST', path: '/api/v1/alarms', schema: RaiseAlarm },
  { method: 'GET', path: '/api/v1/alarms/histories', schema: ListHistories },
  { method: 'GET', path: '/api/v1/alarms/statistics', schema: ListHistories },
  { method: 'GET', path: '/api/v1/alarms/interventions', schema: ListHistories },
  { method: 'POST', path: '/api/v1/call/users', schema: CallUsers },
  { method: 'POST', path: '/api/v1/call/groups', schema: CallGroups },
  { method: 'GET', path: '/api/v1/call/histories', schema: ListCallHistories },
  { method: 'GET', path: '/api/v1/callgroups', schema: ListCallGroups },
  { method: 'POST', path: '/api/v1/callgroups', schema: CallGroupBody },
  { method: 'GET', path: '/api/v1/callgroupgroupings', schema: ListCallGroupGroupings },
  { method: 'POST', path: '/api/v1/callgroupgroupings', schema: CallGroupGroupingBody },
];

export type BadRequest = {
  fault: string;
  method: string;
  path: string;
  raw?: string;
  headers?: Record<string, string>;
  /** A valid token if absent. */
  token?: string | null;
  /** The statuses that are right; by default 400. */
  expected?: readonly number[];
};

/** Requests with one fault each, which the server must refuse. */
export function badRequests(endpoint: Endpoint): fc.Arbitrary<BadRequest> {
  const own = endpoint.method === 'GET' ? badQueries(endpoint) : badBodies(endpoint);
  return fc.oneof(
    ...own,
    { weight: 2, arbitrary: wrongMethods(endpoint) },
    { weight: 1, arbitrary: wrongPaths(endpoint) },
    { weight: 1, arbitrary: wrongTokens(endpoint) },
  );
}

type Weighted = { weight: number; arbitrary: fc.Arbitrary<BadRequest> };

function badQueries({ method, path, schema }: Endpoint): Weighted[] {
  const names = Object.entries(schema.properties ?? {});
  const pool = names.flatMap(([name, { type, enum: choices }]) => {
    if (choices !== undefined) return badSorts.map((value) => [name, encodeURIComponent(value)] as const);
    if (type === 'integer') {
      const encoded = badUints.map((value) => [name, encodeURIComponent(value)] as const);
      return [...encoded, ...brokenEscapes.map((value) => [name, value] as const)];
    }
    return name === 'search' ? [] : badDates.map((value) => [name, encodeURIComponent(value)] as const);
  });
  const bad = fc
    .constantFrom(...pool)
    .map(([name, value]) => ({ fault: `bad ${name}`, method, path: `${path}?${name}=${value}` }));
  const random = fc
    .tuple(
      fc.constantFrom(...names.filter(([, { type }]) => type === 'integer')),
      fc.string({ unit: 'grapheme' }),
    )
    .filter(([, text]) => !/^[0-9]{1,10}$/.test(text))
    .map(([[name], text]) => ({
      fault: `random ${name}`,
      method,
      path: `${path}?limit=1&${name === 'limit' ? 'offset' : name}=${encodeURIComponent(text)}`,
    }));
  const twice = fc
    .constantFrom(...names)
    .map(([name]) => ({ fault: `${name} twice`, method, path: `${path}?${name}=1&${name}=2` }));
  return [
    { weight: 12, arbitrary: bad },
    { weight: 6, arbitrary: random },
    { weight: 3, arbitrary: twice },
  ];
}

function badBodies({ method, path, schema }: Endpoint): Weighted[] {
  const good = goodValue(schema) as Record<string, unknown>;
  const send = (fault: string, raw: string, more: Partial<BadRequest> = {}): BadRequest => ({
    fault,
    method,
    path,
    raw,
    ...more,
  });
  const pick = (fault: string, texts: readonly string[]) =>
    fc.constantFrom(...texts).map((text) => send(fault, text));
  const nest = fc.tuple(fc.integer({ min: 65, max: 20_000 }), fc.boolean()).map(([depth, asArray]) => {
    const [open, close] = asArray ? ['[', ']'] : ['{"a":', '}'];
    const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
    return send(
      'deep nest',
      writeJson({ ...good, deep: '@raw@0@raw@' }).replace('"deep":0', `"deep":${deep}`),
    );
  });
  const cut = fc
    .nat({ max: 1_000 })
    .map((part) =>
      JSON.stringify({ ...good, more: { text: 'x', list: [1, 2, 3] } }).slice(0, -1 - (part % 30)),
    )
    .map((text) => send('cut JSON', text));
  const typed = fc
    .constantFrom(...contentTypes)
    .map((type) =>
      send('content type', writeJson(good), { headers: { 'content-type': type }, expected: [415] }),
    );
  const keyed = fc
    .constantFrom(...badKeys)
    .map((key) => send('bad key', writeJson(good), { headers: { 'idempotency-key': key } }));
  const huge = fc.integer({ min: 0, max: 300_000 }).map((more) => {
    const text = JSON.stringify({ ...good, more: 'x'.repeat(1_048_577 + more) });
    return send('huge body', text, { expected: [413] });
  });
  return [
    { weight: 20, arbitrary: badObject(schema).map((value) => send('bad member', writeJson(value))) },
    { weight: 4, arbitrary: pick('broken JSON', brokenJson) },
    { weight: 2, arbitrary: cut },
    { weight: 2, arbitrary: pick('no object', notObjects) },
    { weight: 2, arbitrary: pick('poison', poison) },
    { weight: 2, arbitrary: nest },
    { weight: 2, arbitrary: typed },
    { weight: 2, arbitrary: keyed },
    { weight: 1, arbitrary: huge },
  ];
}

function wrongMethods({ path }: Endpoint): fc.Arbitrary<BadRequest> {
  const taken = new Set<string>(endpoints.filter((other) => other.path === path).map(({ method }) => method));
  const fault = { fault: 'wrong method', path, expected: [405] };
  return fc
    .tuple(fc.constantFrom(...methods.filter((method) => !taken.has(method))), fc.boolean())
    .map(([method, bodiless]) =>
      Object.assign({ method }, fault, bodiless || method === 'GET' ? {} : { raw: '{}' }),
    );
}

function wrongPaths(endpoint: Endpoint): fc.Arbitrary<BadRequest> {
  const fault = { ...bare(endpoint), fault: 'bad path', expected: [400, 404, 405] };
  return fc
    .constantFrom(...badEndings)
    .map((ending) => Object.assign({}, fault, { path: `${fault.path}${ending}` }));
}

function wrongTokens(endpoint: Endpoint): fc.Arbitrary<BadRequest> {
  const fault = { ...bare(endpoint), fault: 'bad token', expected: [401] };
  return fc.constantFrom(...badTokens).map((token) => Object.assign({}, fault, { token }));
}

const bare = ({ method, path }: Endpoint) => ({ method, path, ...(method === 'POST' && { raw: '{}' }) });
