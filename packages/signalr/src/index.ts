export type { DrainOptions } from './drain.ts';
export type { FamilyEntrance, Log } from './family.ts';
export type { FanOut } from './fan-out.ts';
export { wasForwarded } from './forwarding.ts';
export type { Timers } from './heartbeat.ts';
export {
  type Authenticate,
  type CloseReason,
  type Family,
  type Hub,
  type HubConnection,
  HubError,
  type HubMethod,
  type Identity,
  type Join,
  type Refusal,
  type Transport,
} from './hub.ts';
export type { HubCall, HubMessage } from './hub-message.ts';
export { defaultLimits, type Limits } from './limits.ts';
export {
  createSignalrServer,
  type SignalrCounts,
  type SignalrServer,
  type SignalrServerOptions,
} from './signalr-server.ts';
