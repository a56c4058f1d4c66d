import { AfterSeq, HubFilter } from '@tocsin/contract';
import { HubError } from '@tocsin/signalr';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

/** A classic client sends its filter back when it reconnects, within 4 kB of state. */
const maxFilterBytes = 3_500;

/** Reads the argument of `subscribe`; without one the client gets everything. */
export function readFilter(argument: unknown): HubFilter {
  const given = argument ?? {};
  requireValid(HubFilter, given, 'filter');
  const { alarmState, inactiveMasked, search, changes, calls, sounds, ...ids } = given as HubFilter;
  const { stationId, dataServerId, tagGroupId, scenarioId, callGroupId } = ids;
  const members = {
    // An id of 0 counts as absent, as in the query of `GET /alarms`.
    stationId: stationId || undefined,
    dataServerId: dataServerId || undefined,
    tagGroupId: tagGroupId || undefined,
    scenarioId: scenarioId || undefined,
    callGroupId: callGroupId || undefined,
    alarmState,
    inactiveMasked,
    search,
    changes,
    calls,
    sounds,
  };
  if (Buffer.byteLength(JSON.stringify(members)) > maxFilterBytes)
    throw new HubError('filter.search is longer than a client can carry');
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The optional callbacks of a filter. Later filters inherit them. */
export function callbackOptionsOf({ changes, calls, sounds }: HubFilter): HubFilter {
  return { ...(changes && { changes }), ...(calls && { calls }), ...(sounds && { sounds }) };
}

/** Reads the argument of `resume`; undefined asks for the current position. */
export function readAfterSeq(argument: unknown): number | undefined {
  const given = argument ?? null;
  requireValid(AfterSeq, given, 'afterSeq');
  return (given as number | null) ?? undefined;
}

function requireValid(schema: TSchema, value: unknown, name: string): void {
  if (Check(schema, value)) return;
  const [fault] = Errors(schema, value);
  const where = `${name}${fault?.instancePath.replaceAll('/', '.') ?? ''}`;
  throw new HubError(`${where} ${fault?.message ?? 'does not match the interface'}`);
}
