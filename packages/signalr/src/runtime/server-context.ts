import type { CorsPolicy } from '../http/cors.ts';
import type { TargetNode } from '../http/forward-request.ts';
import type { Authenticate, Hub, HubConnection } from '../hub/hub.ts';
import type { Log } from '../hub/log.ts';
import type { ConnectionTokens } from '../tokens/connection-token.ts';
import type { WebSocketAcceptor } from '../transports/web-socket-transport.ts';
import type { AdmissionControl } from './admission-control.ts';
import type { Counters } from './counters.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Limits } from './limits.ts';
import type { Framer } from './message-framer.ts';

/** State and services shared by the Core and the classic endpoint. */
export type ServerContext<User> = {
  readonly hub: Hub<User>;
  readonly authenticate: Authenticate<User>;
  /** For tokens other than connection tokens; each purpose has its own key. */
  readonly secret: string | readonly string[];
  readonly tokens: ConnectionTokens;
  /** The address at which other nodes reach this one. */
  readonly nodeAddress: string;
  readonly targetNodeAt: (address: string) => TargetNode;
  readonly cors: CorsPolicy;
  readonly limits: Limits;
  readonly admission: AdmissionControl;
  readonly heartbeat: Heartbeat;
  readonly framer: Framer;
  readonly acceptWebSocket: WebSocketAcceptor;
  /** Connections after their handshake. Each endpoint adds and removes its own. */
  readonly connections: Set<HubConnection<User>>;
  readonly counters: Counters;
  readonly log: Log;
  readonly clock: () => number;
};
