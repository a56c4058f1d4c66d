import type { ServerContext } from '../runtime/server-context.ts';
import { type ClassicClients, createClients } from './classic-client.ts';
import { type ClassicTimeouts, defaultClassicTimeouts } from './classic-limits.ts';
import { createGroupsTokens, type GroupsTokens } from './groups-token.ts';
import { createHubInvoker, type HubInvoker } from './hub-request.ts';

export type ClassicOptions = {
  readonly timeouts?: Partial<ClassicTimeouts>;
  /** Allows scripts of other sites to read responses. Needed only for browsers without CORS. */
  readonly allowJsonp?: boolean;
};

/** State and services shared by all classic endpoints. */
export type ClassicContext<User> = {
  readonly server: ServerContext<User>;
  readonly timeouts: ClassicTimeouts;
  readonly allowJsonp: boolean;
  readonly clients: ClassicClients<User>;
  readonly groupsTokens: GroupsTokens;
  readonly invoker: HubInvoker<User>;
};

export function createClassicContext<User>(
  server: ServerContext<User>,
  options: ClassicOptions,
): ClassicContext<User> {
  const timeouts = { ...defaultClassicTimeouts, ...options.timeouts };
  return {
    server,
    timeouts,
    allowJsonp: options.allowJsonp ?? false,
    clients: createClients(server, timeouts.disconnectTimeoutMs),
    groupsTokens: createGroupsTokens(server.secret),
    invoker: createHubInvoker(server.hub, (error, method) =>
      server.log.error({ err: error, method }, 'hub method failed'),
    ),
  };
}
