import type { CallPreview } from '@tocsin/contract';

type PreviewedCall = CallPreview['calls'][number];
export type PlannedCall = PreviewedCall & { readonly at: number };

export const planned = (calls: readonly PreviewedCall[]): readonly PlannedCall[] =>
  calls.map((call) => ({ ...call, at: Date.parse(call.time) }));

type Made = Pick<PreviewedCall, 'userId' | 'medium'>;

type Progress = {
  /** Attempts that were made, the oldest first. */
  readonly made: readonly Made[];
  /** When the calling goes on, as the server says. */
  readonly nextAt: number | undefined;
  readonly now: number;
};

/** The place after the last attempt. Attempts that fail at once come faster than the preview, so it may be an earlier round. */
function nextIndex(calls: readonly PreviewedCall[], made: readonly Made[]): number {
  const last = made.at(-1);
  if (!last) return 0;
  const isLast = ({ userId, medium }: PreviewedCall) => userId === last.userId && medium === last.medium;
  const found = calls.slice(0, made.length).findLastIndex(isLast);
  return found < 0 ? made.length : found + 1;
}

/**
 * What follows if nobody acknowledges. The preview begins when the calling began and takes every ring for 30 s; people who
 * answer sooner move the rest, so the calls after those that were made are moved to the time at which the server goes on.
 */
export function followingCalls(
  calls: readonly PreviewedCall[],
  { made, nextAt, now }: Progress,
): readonly PlannedCall[] {
  const rest = planned(calls.slice(nextIndex(calls, made)));
  const [first] = rest;
  if (!first) return [];
  const shift = Math.max(nextAt ?? first.at, now) - first.at;
  return rest.map((call) => Object.assign({}, call, { at: call.at + shift }));
}
