import { largestUint, type ReferenceKind, referenceMark } from '@tocsin/contract';
import type { RouteEntry } from '../server/route-table.ts';

/** A member of a request that names an object; `row` is the row of the route itself. */
export type ReferenceMember = {
  part: 'params' | 'querystring' | 'body';
  /** Such as `teams.*.userIds.*`, where `*` is any item of a list. */
  place: string;
  kind: ReferenceKind | 'row';
};

/** Numbers that name no object. */
const quantities = new Set([
  'offset',
  'limit',
  'priority',
  'priorities',
  'flags',
  'alarmDelay',
  'alarmState',
  'inactiveMasked',
  'msgNum',
  'seconds',
]);

/** Members that look like references and are none. */
const ownNames = new Set([
  // The number of a team comes from the body itself.
  'body teams.*.id',
  // The device's own name for a beacon.
  'body location.beaconList.*.id',
  'body positions.*.beaconId',
  // Part of the text that a provider signs.
  'body attemptId',
  // The value itself is the secret.
  'querystring token',
  'params token',
  'body refresh_token',
  'body mfa_token',
  // Found only among those of the user in the path.
  'params passkey',
  // The issuer's own name for this server.
  'body clientId',
]);

type Schema = {
  type?: string;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  [referenceMark]?: ReferenceKind;
};

/** The members of a route that name an object, and those that are not marked either way. */
export function referenceMembers({ schema }: Pick<RouteEntry, 'schema'>): {
  members: ReferenceMember[];
  unmarked: string[];
} {
  const members: ReferenceMember[] = [];
  const unmarked: string[] = [];
  for (const part of ['params', 'querystring', 'body'] as const) {
    walk(schema[part] as Schema | undefined, [], (found, path) => {
      const place = path.join('.');
      const kind = part === 'params' && place === 'id' ? 'row' : found[referenceMark];
      if (kind !== undefined) members.push({ part, place, kind });
      else if (!ownNames.has(`${part} ${place}`) && mayName(found, path)) unmarked.push(`${part} ${place}`);
    });
  }
  return { members, unmarked };
}

function walk(
  schema: Schema | undefined,
  path: readonly string[],
  visit: (schema: Schema, path: readonly string[]) => void,
): void {
  if (schema === undefined) return;
  visit(schema, path);
  if (schema[referenceMark] !== undefined) return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) walk(member, [...path, name], visit);
  if (schema.items) walk(schema.items, [...path, '*'], visit);
  for (const variant of schema.anyOf ?? []) walk(variant, path, visit);
}

/** Identifiers are numbers of 32 bits; files are identified by their names. */
function mayName({ type, maximum = largestUint }: Schema, path: readonly string[]): boolean {
  const name = path.findLast((part) => part !== '*') ?? '';
  if (type === 'integer') return maximum >= largestUint && !quantities.has(name);
  return type === 'string' && /(^id|Id|Ids|File|Files|Audio|token)$/.test(name);
}
