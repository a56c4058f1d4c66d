import type { FamilyContext } from '../family.ts';
import { type ClassicClients, createClients } from './classic-client.ts';
import { type ClassicTimings, classicTimings } from './classic-timings.ts';
import { createGroupsTokens, type GroupsTokens } from './groups-token.ts';
import { type Caller, createCaller } from './method-call.ts';

export type ClassicOptions = {
  readonly timings?: Partial<ClassicTimings>;
  /** Scripts of other sites may then read answers: only for browsers older than CORS. */
  readonly jsonp?: boolean;
};

/** What every endpoint works with. */
export type Desk<User> = {
  readonly context: FamilyContext<User>;
  readonly timings: ClassicTimings;
  readonly jsonp: boolean;
  readonly clients: ClassicClients<User>;
  readonly groups: GroupsTokens;
  readonly caller: Caller<User>;
};

export function createDesk<User>(context: FamilyContext<User>, options: ClassicOptions): Desk<User> {
  const timings = { ...classicTimings, ...options.timings };
  return {
    context,
    timings,
    jsonp: options.jsonp ?? false,
    clients: createClients(context, timings.disconnectMs),
    groups: createGroupsTokens(context.secret),
    caller: createCaller(context.hub, (error, method) =>
      context.log.error({ err: error, method }, 'hub method failed'),
    ),
  };
}
