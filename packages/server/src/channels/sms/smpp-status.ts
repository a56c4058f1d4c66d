import type { ChannelOutcome } from '../port/outcome.ts';

/** Statuses of SMPP 3.4, section 5.1.3. */
export const smppStatus = {
  ok: 0,
  invalidLength: 0x02,
  invalidCommand: 0x03,
  alreadyBound: 0x05,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  wrongPassword: 0x0e,
  wrongSystemId: 0x0f,
  queueFull: 0x14,
  throttled: 0x58,
  notNow: 0x64,
} as const;

/** The centre asks for fewer messages. */
export const isThrottle = (status: number) =>
  status === smppStatus.throttled || status === smppStatus.queueFull;
const shown = (status: number) => `0x${status.toString(16).padStart(2, '0')}`;

/** The outcome of a message that the centre did not take. */
export function refusedOutcome(status: number, retryAfterSeconds: number): ChannelOutcome {
  if (isThrottle(status))
    return {
      kind: 'notNow',
      reason: `the SMS centre asks for fewer messages (${shown(status)})`,
      retryAfterSeconds,
    };
  const code = shown(status);
  if (status === smppStatus.invalidDestination)
    return {
      kind: 'failed',
      permanent: true,
      blame: 'recipient',
      reason: `the SMS centre refused the number (${code})`,
    };
  const refused = status === smppStatus.invalidSource ? 'the sender' : 'the message';
  return {
    kind: 'failed',
    permanent: false,
    blame: 'channel',
    reason: `the SMS centre refused ${refused} (${code})`,
  };
}

const logInFaults: readonly number[] = [
  smppStatus.bindFailed,
  smppStatus.wrongPassword,
  smppStatus.wrongSystemId,
];

/** The reason for the tenant why the centre did not accept the connection. */
export function bindRefusal(status: number): string {
  if (status === smppStatus.alreadyBound)
    return `the SMS centre allows no further connection (${shown(status)})`;
  const refused = logInFaults.includes(status) ? 'the log-in' : 'the connection';
  return `the SMS centre refused ${refused} (${shown(status)})`;
}
