import type { ChannelOutcome } from '../port/outcome.ts';

/** What is known of a call when it ends. */
export type ClosedCall = {
  readonly reference: string;
  /** The text that baresip gives, such as `486 Busy Here` or `Connection refused`. */
  readonly param: string;
  readonly hasRung: boolean;
  readonly wasAnswered: boolean;
  /** Why we ended the call ourselves; undefined if the other side did. */
  readonly endedByUs: 'rang long enough' | 'hung up' | undefined;
  /** The attempts whose alarms were said, by name. */
  readonly heard: readonly string[];
};

const busyCodes: readonly number[] = [486, 600];
const noAnswerCodes: readonly number[] = [408, 480, 487];
const wrongNumberCodes: readonly number[] = [404, 484, 604];
const declined = 603;
/** Asterisk sends it instead of 603 when the phone was declined. */
const forbidden = 403;

/** Texts of the operating system for a file of ours that baresip cannot play. */
const fileFaults: readonly string[] = ['No such device', 'No such file or directory', 'Bad message'];
/** The phone is silent, or the process of the call has ended. */
const lostParams: readonly string[] = ['rtp stream error', 'GONE'];

/** Classifies the end of a call. */
export function outcomeOfClose(call: ClosedCall): ChannelOutcome {
  const { reference, param, wasAnswered, endedByUs, heard } = call;
  if (wasAnswered) return { kind: 'ended', reference, reason: endedByUs ? '' : reasonOfEnd(param), heard };
  if (endedByUs === 'rang long enough') return { kind: 'noAnswer', reference };
  if (endedByUs === 'hung up') return { kind: 'ended', reference, reason: 'withdrawn' };
  const code = Number(/^(\d{3})\b/.exec(param)?.[1] ?? 0);
  return code > 0 ? outcomeOfCode(code, call) : failedChannel(faultOf(param));
}

/** The person who hangs up gives no reason. */
function reasonOfEnd(param: string): string {
  if (lostParams.includes(param)) return 'lost';
  if (fileFaults.includes(param)) return 'the spoken message could not be played';
  return '';
}

function outcomeOfCode(code: number, { reference, hasRung }: ClosedCall): ChannelOutcome {
  if (busyCodes.includes(code)) return { kind: 'busy', reference };
  if (code === declined || (code === forbidden && hasRung))
    return { kind: 'refused', reference, reason: 'declined' };
  if (noAnswerCodes.includes(code)) return { kind: 'noAnswer', reference };
  if (wrongNumberCodes.includes(code))
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: `no such number (SIP ${code})` };
  return failedChannel(`the telephone system answered SIP ${code}`);
}

function faultOf(param: string): string {
  if (fileFaults.includes(param)) return 'the spoken message could not be played';
  if (lostParams.includes(param)) return 'the call was lost';
  return 'the telephone system cannot be reached';
}

function failedChannel(reason: string): ChannelOutcome {
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}
