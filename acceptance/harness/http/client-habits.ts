/** A request as a test writes it, with the path below the base URL. */
export type PlainRequest = {
  method: string;
  path: string;
  body?: unknown;
  raw?: string | Buffer;
  headers: Record<string, string>;
};

/** Identifiers that clients of the old server send as 0 for none, by the last part of the path. */
const idsOfBodies: Record<string, readonly string[]> = {
  alarms: ['stationId', 'dataServerId', 'tagGroupId'],
  callgroups: ['stationId', 'reliefGroupId', 'groupingId'],
  callgroupgroupings: ['parentId'],
};
const idsOfHistories = ['stationId', 'dataServerId', 'tagGroupId', 'callGroupId', 'userId'];
const idsOfQueries: Record<string, readonly string[]> = {
  '/api/v1/alarms': ['stationId', 'dataServerId', 'tagGroupId', 'scenarioId', 'callGroupId'],
  '/api/v1/alarms/histories': idsOfHistories,
  '/api/v1/alarms/statistics': idsOfHistories,
  '/api/v1/alarms/interventions': idsOfHistories,
  '/api/v1/call/histories': ['userId', 'callGroupId', 'alarmId'],
  '/api/v1/callgroups': ['stationId', 'groupingId'],
};

/**
 * The same request as clients of the .NET era write it: members and query names in PascalCase, paths in mixed case with
 * a slash at the end, a charset, a Content-Type where there is no body, and 0 for identifiers that are not given.
 */
export function withHabits({ method, path, body, raw, headers }: PlainRequest): PlainRequest {
  const [place = ''] = path.split('?', 1);
  const query = path.slice(place.length + 1);
  const isOurs = place.startsWith('/api/v1/');
  const sentBody = isPlainObject(body) && method === 'POST' ? { ...zeros(place, body), ...body } : body;
  const isForm = 'content-type' in headers;
  return {
    method,
    path: isOurs ? `${mixedCase(place)}${habitualQuery(method, place, query)}` : path,
    ...(body !== undefined && { body: pascalCase(sentBody) }),
    ...(raw !== undefined && { raw }),
    headers:
      isForm || method === 'GET'
        ? headers
        : { 'content-type': 'application/json; charset=utf-8', ...headers },
  };
}

/** `/api/v1/callgroups/7/members` → `/Api/V1/Callgroups/7/Members/`; other parts stay as they are. */
export function mixedCase(place: string): string {
  const parts = place.split('/').map((part) => (/^[a-z]+\d?$/.test(part) ? capital(part) : part));
  return `${parts.join('/')}${place.endsWith('/') ? '' : '/'}`;
}

function habitualQuery(method: string, place: string, query: string): string {
  const given = query === '' ? [] : query.split('&');
  const names = given.map((pair) => (pair.split('=', 1)[0] ?? '').toLowerCase());
  const ids = method === 'GET' ? (idsOfQueries[place] ?? []) : [];
  const added = ids.filter((id) => !names.includes(id.toLowerCase())).map((id) => `${capital(id)}=0`);
  // A test that sends one name in two cases needs both as it wrote them.
  const written = new Set(given.map((pair) => pair.split('=', 1)[0])).size === new Set(names).size;
  const all = [...(written ? given.map(capital) : given), ...added];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

function zeros(place: string, body: object): Record<string, number> {
  const given = new Set(Object.keys(body).map((name) => name.toLowerCase()));
  const ids = idsOfBodies[place.slice('/api/v1/'.length)] ?? [];
  return Object.fromEntries(ids.filter((id) => !given.has(id.toLowerCase())).map((id) => [id, 0]));
}

function pascalCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pascalCase);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [capital(name), pascalCase(member)]),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
