import { AfterSeq, HubFilter } from '@tocsin/contract';
import { HubError } from '@tocsin/signalr';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

/** A classic client brings its filter back when it reconnects, with a little more, in 4 kB. */
const mostFilterBytes = 3_500;

/** The argument of `subscribe`; none, or null, asks for everything. */
export function readFilter(argument: unknown): HubFilter {
  const given = argument ?? {};
  require(HubFilter, given, 'filter');
  const { alarmState, inactiveMasked, search, changes, calls, sounds, ...ids } = given as HubFilter;
  const { stationId, dataServerId, tagGroupId, scenarioId, callGroupId } = ids;
  const members = {
    // An identifier of 0 is none, as in the query of `GET /alarms`.
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
  if (Buffer.byteLength(JSON.stringify(members)) > mostFilterBytes)
    throw new HubError('filter.search is longer than a client can carry');
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What a client wants to be told besides new alarms: later filters keep it. */
export function wishesOf({ changes, calls, sounds }: HubFilter): HubFilter {
  return { ...(changes && { changes }), ...(calls && { calls }), ...(sounds && { sounds }) };
}

/** The argument of `resume`; undefined asks for the present place. */
export function readAfterSeq(argument: unknown): number | undefined {
  const given = argument ?? null;
  require(AfterSeq, given, 'afterSeq');
  return (given as number | null) ?? undefined;
}

function require(schema: TSchema, value: unknown, name: string): void {
  if (Check(schema, value)) return;
  const [fault] = Errors(schema, value);
  const where = `${name}${fault?.instancePath.replaceAll('/', '.') ?? ''}`;
  throw new HubError(`${where} ${fault?.message ?? 'does not match the interface'}`);
}
