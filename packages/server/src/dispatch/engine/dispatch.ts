import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { AnswerKeys } from '../../channels/port/answer-code.ts';
import type { ConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { AttemptNames } from '../outcomes/attempt-name.ts';
import type { CallMetrics } from '../outcomes/call-metrics.ts';
import type { JudgeAnswer, JudgeKeys } from '../outcomes/reported-outcome.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { LiveCalls } from './live-calls.ts';
import type { SendLimits } from './send-limits.ts';
import type { SendSlots } from './send-slots.ts';
import type { TenantChannels } from './tenant-channels.ts';

/** The services that all parts of a dispatcher share. */
export type Dispatch = {
  readonly runtime: Runtime;
  readonly configuration: ConfigurationCache;
  readonly channels: TenantChannels;
  readonly health: ChannelHealth;
  readonly limits: SendLimits;
  readonly slots: SendSlots;
  readonly metrics: CallMetrics;
  readonly names: AttemptNames;
  readonly answerKeys: AnswerKeys;
  readonly judgeAnswer: JudgeAnswer;
  readonly judgeKeys: JudgeKeys;
  /** Names this process; calls that live in it are stored with it. */
  readonly node: string;
  /** The calls that live in this process. */
  readonly calls: LiveCalls;
  /** Acknowledges alarms for people who answer their call. */
  readonly writer: AlarmWriter;
  /** The clock of this server. It is only compared with the database's clock, which decides everything. */
  readonly now: () => Date;
  /** The URL at which people and providers reach this server; empty when they cannot. */
  readonly publicUrl: string;
};
