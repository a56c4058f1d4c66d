import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/request-body.ts';
import type { TransportType } from '../hub/hub.ts';
import { maxReceiveBytes } from './classic-limits.ts';

/** The protocol parameters of a request, from its URL and, for a POST, from its form. */
export type RequestParameters = {
  readonly transportType: TransportType | undefined;
  readonly connectionToken: string | undefined;
  readonly connectionData: string | undefined;
  readonly clientProtocol: string | undefined;
  /** The cursor of the last message that the client has received. */
  readonly messageId: string | undefined;
  readonly groupsToken: string | undefined;
  /** The JSONP callback. */
  readonly callback: string | undefined;
  /** The invocation of a `/send`. */
  readonly data: string | undefined;
};

/** A form encodes a byte with up to three. */
const maxFormBytes = maxReceiveBytes * 3 + 32 * 1_024;

export function readQuery(request: IncomingMessage): RequestParameters {
  const query = urlOf(request).searchParams;
  return parseParameters((name) => query.get(name) ?? undefined);
}

/** Reads the form, whose parameters take precedence over those of the URL. */
export async function readParameters(
  request: IncomingMessage,
): Promise<RequestParameters | 'too-large' | 'broken'> {
  const query = urlOf(request).searchParams;
  const body = request.method === 'POST' ? await readBody(request, maxFormBytes) : '';
  if (body === 'too-large' || body === 'broken') return body;
  const form = new URLSearchParams(body.toString());
  return parseParameters((name) => form.get(name) ?? query.get(name) ?? undefined);
}

export function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

function parseParameters(read: (name: string) => string | undefined): RequestParameters {
  return {
    transportType: parseTransportType(read('transport')),
    connectionToken: read('connectionToken'),
    connectionData: read('connectionData'),
    clientProtocol: read('clientProtocol'),
    messageId: read('messageId') || undefined,
    groupsToken: read('groupsToken') || undefined,
    callback: read('callback'),
    data: read('data'),
  };
}

const transportTypes: readonly TransportType[] = ['webSockets', 'serverSentEvents', 'longPolling'];

function parseTransportType(name: string | undefined): TransportType | undefined {
  return transportTypes.find((type) => type.toLowerCase() === name?.toLowerCase());
}
