import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Serves one generation of clients. `path` is the part after the mount point: empty, or such as `/negotiate`. */
export type HubEndpoint = {
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Every refusal is sent before the 101 response. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): Promise<void>;
};
