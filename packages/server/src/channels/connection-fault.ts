import type { Logger } from 'pino';

/**
 * All that a tenant is told of a connection that failed. What a peer says, where a name leads and whether a port is closed or
 * silent is for the log: whoever may set up a channel could look about in the operator's network by it.
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

/** A connection that failed. The message is one of those that a tenant may read, the cause is for the operator. */
export class ConnectionFault extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConnectionFault';
  }
}

/** No connection came about: nothing was sent, so nobody can have got it. */
export class NotConnected extends ConnectionFault {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause);
    this.name = 'NotConnected';
  }
}

/** What a tenant is told of an error. */
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

/** Why no connection came about: of a certificate its owner must know what is wrong with it. */
export function notConnectedReason(error: unknown): string {
  // Nodemailer puts a code of its own in front of that of Node.js.
  const { code = '', originalCode = code } = error as { code?: string; originalCode?: string };
  return certificateReasons.get(originalCode) ?? faultReasons.noServer;
}

/** Characters. A peer may say a lot. */
const longestCause = 500;

/** Tells the operator what the tenant is not told, but nobody's mail address. */
export function logFault(log: Logger, peer: string, error: unknown): void {
  const cause = error instanceof ConnectionFault ? (error.cause ?? error) : error;
  const said = cause instanceof Error ? cause.message : String(cause);
  log.info(
    { peer, cause: said.slice(0, longestCause).replace(/[^\s<>:]+@/g, '…@') },
    'connection of a channel failed',
  );
}
