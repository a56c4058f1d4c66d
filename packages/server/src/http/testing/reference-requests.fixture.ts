import type { ReferenceKind } from '@tocsin/contract';
import type { ReferenceMember } from './reference-members.fixture.ts';
import type { Place, Sent } from './two-plants.fixture.ts';

/** The reference of a request: an identifier, or the name of a file. */
export type Named = number | string;

/** One form of a reference in a member: an action has several. */
export type Naming = ReferenceMember & { kind: Target; actionType?: string };

type Target = Exclude<ReferenceMember['kind'], 'action-target'>;

/** Entries in the list of commands, by the place whose alarms may run them. */
export const scriptIds = { Valmont: 600_001, Ardenne: 600_002, Brenner: 600_003 } as const;

/** No object has this identifier or name. */
export const nothing = (kind: Target): Named => (kind === 'media-file' ? 'Nothing.txt' : 987_654_321);

/** Belongs to the whole tenant, so that every station sees it. */
export const isTenantWide = (kind: Target) => kind === 'media-file' || kind === 'grouping';

const rowsOfPlace: Record<Exclude<ReferenceKind, 'action-target' | 'team'>, (place: Place) => Named> = {
  station: ({ stationId }) => stationId,
  'data-server': ({ dataServerId }) => dataServerId,
  'tag-group': ({ tagGroupId }) => tagGroupId,
  scenario: ({ scenarioId }) => scenarioId,
  'call-group': ({ callGroupId }) => callGroupId,
  grouping: ({ groupingId }) => groupingId,
  user: ({ userId }) => userId,
  alarm: ({ alarmId }) => alarmId,
  'media-file': ({ mediaName }) => mediaName,
  'api-key': ({ apiKeyId }) => apiKeyId,
  command: ({ word }) => scriptIds[word as keyof typeof scriptIds],
};

/** The object of this kind at the place. A team is in the same body, or in another; the test creates the rows of routes. */
export function namedAt(place: Place, kind: Exclude<Target, 'row'>): Named {
  if (kind === 'team') return place.word === 'Valmont' ? 1 : 500_077;
  return rowsOfPlace[kind](place);
}

const targets = { CallGroup: 'call-group', CallUser: 'user', Scenario: 'scenario' } as const;

/** Rows and previews whose actions do not name a scenario. */
const withoutScenarios = new Set(['scenarios', 'call/preview']);

/** All forms of references in the member. */
export function namingsOf(member: ReferenceMember, rows: string): Naming[] {
  const { kind, part, place } = member;
  if (kind !== 'action-target') return [{ part, place, kind }];
  const types = Object.entries(targets).filter(
    ([type]) => type !== 'Scenario' || !withoutScenarios.has(rows),
  );
  return types.map(([actionType, target]) => ({ part, place, kind: target, actionType }));
}

const action = (name: string) => ({
  [`${name}.*.id`]: (id: Named, { actionType: type }: Naming) => ({ [name]: [{ type, id }] }),
  [`${name}.*.scriptId`]: (scriptId: Named) => ({ [name]: [{ type: 'ExecuteCommand', scriptId }] }),
});

const teams = [{ id: 1, name: 'Day', userIds: [] }];

function overridden(override: object): object {
  const period = { from: '2030-01-01T00:00:00', to: '2030-01-02T00:00:00' };
  return { teams, roster: { slotMinutes: 60, slots: [], overrides: [{ ...override, ...period }] } };
}

/** Bodies around nested members. */
const shapes: Record<string, (id: Named, naming: Naming) => object> = {
  ...action('alarmActions'),
  ...action('resetActions'),
  ...action('ackActions'),
  ...action('actions'),
  'sounds.*.mediaFileId': (mediaFileId) => ({
    sounds: [1, 2, 3, 4].map((priority) => ({ priority, sound: 'file', mediaFileId, repeatSeconds: 2 })),
  }),
  'teams.*.userIds.*': (id) => ({ teams: [{ id: 1, name: 'Day', userIds: [id] }] }),
  'roster.slots.*.teamId': (teamId) => ({
    teams,
    roster: { slotMinutes: 60, slots: [{ teamId, day: 1, start: '08:00', end: '12:00' }] },
  }),
  'roster.overrides.*.teamId': (teamId) => overridden({ teamId }),
  'roster.overrides.*.userId': (userId) => overridden({ userId }),
  'roster.overrides.*.replacesUserId': (replacesUserId) => overridden({ teamId: 1, replacesUserId }),
  'tags.*.id': (id) => ({ tags: [{ id }] }),
  'change.stationId': (stationId) => ({ change: { stationId } }),
  'change.tagGroupId': (tagGroupId) => ({ change: { tagGroupId } }),
  'change.scenarioId': (scenarioId) => ({ change: { scenarioId } }),
  'positions.*.tagId': (tagId) => ({ positions: [{ x: 0, y: 0, tagId }] }),
  'positions.*.tagGroupId': (tagGroupId) => ({ positions: [{ x: 0, y: 0, tagGroupId }] }),
};

/** The request with this reference in the member. The row of the route is already in its path. */
export function naming(request: Sent, to: Naming, named: Named): Sent {
  if (to.part === 'params') return request;
  if (to.part === 'querystring') return { ...request, url: `${request.url}&${to.place}=${named}` };
  return { ...request, body: { ...bodyWithout(request), ...fragment(to, named) } };
}

function fragment(to: Naming, named: Named): object {
  const shape = shapes[to.place];
  if (shape) return shape(named, to);
  const [name = '', list, deeper] = to.place.split('.');
  if (deeper !== undefined || (list !== undefined && list !== '*'))
    throw new Error(`nobody knows a body around ${to.place}: add it to shapes`);
  return { [name]: list === '*' ? [named] : named };
}

/** A preview names a single object. */
function bodyWithout({ url, body = {} }: Sent): object {
  return url.endsWith('/call/preview') ? {} : body;
}
