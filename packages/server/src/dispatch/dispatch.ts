import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import type { AnswerKeys } from '../channels/answer-code.ts';
import type { KnownDirectories } from '../duties/known-directories.ts';
import type { Runtime } from '../runtime.ts';
import type { AttemptNames } from './attempt-name.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { SendLimits } from './send-limits.ts';
import type { SendSlots } from './send-slots.ts';
import type { TenantChannels } from './tenant-channels.ts';

/** What the steps of a dispatcher share. */
export type Dispatch = {
  readonly runtime: Runtime;
  readonly directories: KnownDirectories;
  readonly channels: TenantChannels;
  readonly health: ChannelHealth;
  readonly limits: SendLimits;
  readonly slots: SendSlots;
  readonly names: AttemptNames;
  readonly answerKeys: AnswerKeys;
  /** Acknowledges alarms for those who answer. */
  readonly writer: AlarmWriter;
  /** The clock of this server, which is compared with that of the database and decides nothing. */
  readonly now: () => Date;
  /** Where people and providers reach this server from outside; empty when they cannot. */
  readonly publicUrl: string;
};
