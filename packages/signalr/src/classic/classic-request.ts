import type { IncomingMessage } from 'node:http';
import type { Transport } from '../hub.ts';
import { readBody } from '../request-body.ts';
import { inboundBytes } from './classic-timings.ts';

/** What a classic client says with a request: in the query, and of a POST in the form, too. */
export type ClassicRequest = {
  readonly transport: Transport | undefined;
  readonly connectionToken: string | undefined;
  readonly connectionData: string | undefined;
  readonly clientProtocol: string | undefined;
  /** Where the client has got to. */
  readonly messageId: string | undefined;
  readonly groupsToken: string | undefined;
  /** Asks for JSONP. */
  readonly callback: string | undefined;
  /** What is sent to the hub. */
  readonly data: string | undefined;
};

/** A form triples what it escapes. */
const longestForm = inboundBytes * 3 + 32 * 1_024;

export function readQuery(request: IncomingMessage): ClassicRequest {
  const query = urlOf(request).searchParams;
  return fieldsOf((name) => query.get(name) ?? undefined);
}

/** The query with what the form adds. */
export async function readRequest(
  request: IncomingMessage,
): Promise<ClassicRequest | 'too-large' | 'broken'> {
  const query = urlOf(request).searchParams;
  const body = request.method === 'POST' ? await readBody(request, longestForm) : '';
  if (body === 'too-large' || body === 'broken') return body;
  const form = new URLSearchParams(body.toString());
  return fieldsOf((name) => form.get(name) ?? query.get(name) ?? undefined);
}

export function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

function fieldsOf(read: (name: string) => string | undefined): ClassicRequest {
  return {
    transport: transportOf(read('transport')),
    connectionToken: read('connectionToken'),
    connectionData: read('connectionData'),
    clientProtocol: read('clientProtocol'),
    messageId: read('messageId') || undefined,
    groupsToken: read('groupsToken') || undefined,
    callback: read('callback'),
    data: read('data'),
  };
}

const transports: readonly Transport[] = ['webSockets', 'serverSentEvents', 'longPolling'];

function transportOf(name: string | undefined): Transport | undefined {
  return transports.find((transport) => transport.toLowerCase() === name?.toLowerCase());
}
