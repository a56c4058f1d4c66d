export type { Unsubscribe } from './common/listeners.ts';
export type { Clock } from './common/system-clock.ts';
export { createLiveFeed, type LiveFeed, type LiveFeedOptions } from './feed/live-feed.ts';
export type { CallAttempt, ConnectionState, LiveState } from './feed/live-state.ts';
export {
  type Api,
  type ApiAnswer,
  type ApiOptions,
  type ChangeOptions,
  createApi,
  type PostOptions,
  type Query,
  type ReadOptions,
} from './http/api.ts';
export { exchange } from './http/exchange.ts';
export {
  noConnection,
  ProblemError,
  type ProblemFault,
  readProblem,
  type SecondStep,
} from './http/problem-error.ts';
export { readAll } from './http/read-all.ts';
export { createIndexedDbStorage } from './outbox/indexed-db-storage.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox/outbox.ts';
export type { OutboxItem, OutboxProgress, RefusalReason, SeenAlarm } from './outbox/outbox-item.ts';
export { createMemoryStorage, type OutboxStorage } from './outbox/outbox-storage.ts';
export {
  createSession,
  type FeedSession,
  type SecondFactor,
  type Session,
  type SessionEnd,
  type SessionOptions,
  type SessionState,
  type SessionUser,
} from './session/session.ts';
