import { ConnectionFault, notConnectedReason, reasonOf } from '../../channels/network/connection-fault.ts';

/** The directory cannot be asked. The message says why, in words for an administrator of the tenant. */
export class DirectoryAway extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'DirectoryAway';
  }

  static because(error: unknown): DirectoryAway {
    if (error instanceof DirectoryAway) return error;
    const reason = error instanceof ConnectionFault ? reasonOf(error) : notConnectedReason(error);
    return new DirectoryAway(reason, error);
  }
}
