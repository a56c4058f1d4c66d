import type { Logger } from 'pino';

/**
 * The only reasons that a tenant gets for a failed connection. The words of a peer, resolved addresses and the state of a
 * port go to the log, because a tenant could use them to scan the operator's network.
 */
export const faultReasons = {
  notAllowed:
    'this leads to no address and port that the server may connect to: check it, or ask the operator (EGRESS_ALLOW)',
  notEncrypted: 'plain http goes only to what the operator names (EGRESS_ALLOW): use https',
  noServer: 'nothing answers there as it should: check address, port and encryption',
  brokenOff: 'the connection ended without a proper answer',
  late: 'no answer in time',
  certificateAge: 'its certificate has expired, or is not valid yet',
  certificateName: 'its certificate is for another name',
  certificateOrigin: 'its certificate is signed by nobody whom this server trusts',
} as const;

/** A failed connection. The message is for the tenant, the cause for the operator. */
export class ConnectionFault extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConnectionFault';
  }
}

/** No connection was made, so nothing can have been delivered. */
export class NotConnected extends ConnectionFault {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause);
    this.name = 'NotConnected';
  }
}

/** The reason for the tenant. */
export function reasonOf(error: unknown): string {
  return error instanceof ConnectionFault ? error.message : faultReasons.brokenOff;
}

const certificateReasons = new Map<string, string>([
  ['CERT_HAS_EXPIRED', faultReasons.certificateAge],
  ['CERT_NOT_YET_VALID', faultReasons.certificateAge],
  ['ERR_TLS_CERT_ALTNAME_INVALID', faultReasons.certificateName],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', faultReasons.certificateOrigin],
  ['SELF_SIGNED_CERT_IN_CHAIN', faultReasons.certificateOrigin],
  ['UNABLE_TO_GET_ISSUER_CERT', faultReasons.certificateOrigin],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', faultReasons.certificateOrigin],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', faultReasons.certificateOrigin],
]);

/** The reason for a connection that was not made. Certificate faults are named, so that the owner can fix them. */
export function notConnectedReason(error: unknown): string {
  // Nodemailer replaces the code of Node.js with its own.
  const { code = '', originalCode = code } = error as { code?: string; originalCode?: string };
  return certificateReasons.get(originalCode) ?? faultReasons.noServer;
}

const maxCauseLength = 500;

/** Logs the cause for the operator, without mail addresses. */
export function logFault(log: Logger, peer: string, error: unknown): void {
  const cause = error instanceof ConnectionFault ? (error.cause ?? error) : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  log.info(
    { peer, cause: text.slice(0, maxCauseLength).replace(/[^\s<>:]+@/g, '…@') },
    'connection of a channel failed',
  );
}
