import { AfterSeq, HubFilter, refusedHubFilters } from '@tocsin/contract';
import { HubError } from '@tocsin/signalr';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

/** The argument of `subscribe`; none, or null, asks for everything. */
export function readFilter(argument: unknown): HubFilter {
  const given = argument ?? {};
  require(HubFilter, given, 'filter');
  const refused = refusedHubFilters.find((name) => (given as Record<string, unknown>)[name] !== undefined);
  // To push what was not asked for would be a nuisance; to hold back what was asked for could cost a life.
  if (refused !== undefined) throw new HubError(`${refused} cannot narrow what is pushed`);
  const { stationId, dataServerId, alarmState, inactiveMasked, search, ...wishes } = given as HubFilter;
  const { changes, calls, sounds } = wishes;
  const members = { stationId, dataServerId, alarmState, inactiveMasked, search, changes, calls, sounds };
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

/** What a classic client brings back when it reconnects: its filter, and where that began to hold. */
export type KeptState = { readonly filter: HubFilter; readonly since: number };

export function writeState(state: KeptState): string {
  return JSON.stringify(state);
}

/** It was sealed by this installation, if perhaps by another release. */
export function readState(text: string | undefined): KeptState | undefined {
  if (text === undefined) return undefined;
  const { filter, since } = JSON.parse(text) as Partial<KeptState>;
  if (!Check(HubFilter, filter) || typeof since !== 'number') return undefined;
  return { filter, since };
}
