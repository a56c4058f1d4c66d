import type { HubFilter } from '@tocsin/contract';
import type { HubConnection } from '@tocsin/signalr';
import type { HubUser } from './access/hub-user.ts';
import type { Span } from './kept-state.wire.ts';
import type { PastFilter } from './subscriptions/subscriber.ts';
import { createSubscriberFilter, type SubscriberFilter } from './subscriptions/subscriber-filter.ts';

type Connection = HubConnection<HubUser>;

export function canReadCalls({ identity }: Connection): boolean {
  return identity.user.principal.permissions.has('calls:read');
}

/** The filter that a client brings back, without the parts that its token no longer permits. */
export function permittedFilter(connection: Connection, { calls, ...filter }: HubFilter): HubFilter {
  return calls && canReadCalls(connection) ? { ...filter, calls } : filter;
}

/** An earlier filter of the client, without the parts that its token no longer permits. */
export function pastFilterOf(connection: Connection, { filter, until }: Span): PastFilter {
  return { filter: filter && subscriberFilterOf(connection, permittedFilter(connection, filter)), until };
}

export function subscriberFilterOf({ identity }: Connection, filter: HubFilter): SubscriberFilter {
  return createSubscriberFilter({ stationIds: identity.user.principal.stationIds, filter });
}
