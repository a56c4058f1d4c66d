import type { LegReference } from '../../channels/port/outcome.ts';
import type { TenantChannel } from './tenant-channels.ts';

/** A call that lives in this process. */
export type LiveCall = {
  readonly tenantId: number;
  /** The attempt that names the call. */
  readonly attemptId: number;
  readonly leg: LegReference;
  readonly channel: TenantChannel;
  readonly address: string;
  readonly userId: number;
  /** It is about an alarm, so that further alarms may join it. */
  readonly takesAlarms: boolean;
  /** It was told to end. */
  isEnding: boolean;
};

export type LiveCalls = {
  add(call: LiveCall): void;
  remove(tenantId: number, attemptId: number): void;
  find(tenantId: number, attemptId: number): LiveCall | undefined;
  all(): readonly LiveCall[];
};

export function createLiveCalls(): LiveCalls {
  const calls = new Map<string, LiveCall>();
  const key = (tenantId: number, attemptId: number) => `${tenantId}/${attemptId}`;
  return {
    add: (call) => void calls.set(key(call.tenantId, call.attemptId), call),
    remove: (tenantId, attemptId) => void calls.delete(key(tenantId, attemptId)),
    find: (tenantId, attemptId) => calls.get(key(tenantId, attemptId)),
    all: () => [...calls.values()],
  };
}
