export { wasForwarded } from './http/forward-request.ts';
export {
  type Authenticate,
  type CloseReason,
  type ConnectOptions,
  type Hub,
  type HubConnection,
  HubError,
  type HubMethod,
  type Identity,
  type Refusal,
  type SignalRGeneration,
  type TransportType,
} from './hub/hub.ts';
export type { HubInvocation, HubMessage } from './hub/hub-message.ts';
export type { Log } from './hub/log.ts';
export type { DrainOptions } from './runtime/drain-connections.ts';
export type { FanOut } from './runtime/fan-out.ts';
export type { Timers } from './runtime/heartbeat.ts';
export type { HubEndpoint } from './runtime/hub-endpoint.ts';
export { defaultLimits, type Limits } from './runtime/limits.ts';
export {
  createSignalRServer,
  type SignalRCounts,
  type SignalRServer,
  type SignalRServerOptions,
} from './signalr-server.ts';
