import type { ChannelOutcome, PressedKeys, ReportReply } from '../../channels/port/outcome.ts';

/** The outcome of an attempt as its provider reports it. */
export type ReportedOutcome = {
  tenantId: number;
  /** The attempt whose name the message carries. */
  attemptId: number;
  outcome: ChannelOutcome;
  /** The number the answer came from, if the provider reports it. */
  from?: string | undefined;
};

/**
 * Judges the answer in a reported outcome, carries it out, and returns the outcome to settle. Injected, so
 * that the engine does not depend on how people answer.
 */
export type JudgeAnswer = (reported: ReportedOutcome) => Promise<ChannelOutcome>;

/** Judges the keys that a person pressed in a call, carries them out, and says what to tell the person. */
export type JudgeKeys = (pressed: {
  tenantId: number;
  /** The attempt that names the call. */
  attemptId: number;
  keys: PressedKeys;
}) => Promise<ReportReply>;
