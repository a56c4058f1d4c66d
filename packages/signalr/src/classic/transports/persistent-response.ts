import type { HubMessage } from '../../hub/hub-message.ts';

/** Sent at each keep-alive interval, so that clients and proxies keep the connection open. */
export const keepAliveText = '{}';

/** Tells the client that it is connected and receives all messages after `cursor`. */
export function initText(cursor: string, groupsToken: string | undefined): string {
  return `{"C":${JSON.stringify(cursor)},"S":1,${groupsMember(groupsToken)}"M":[]}`;
}

/** The last message of a connection. Clients from version 2.4 on then stop instead of reconnecting. */
export function errorText(error: string): string {
  return JSON.stringify({ E: error });
}

export type Batch = {
  readonly cursor: string;
  /** The invocations of all messages, separated by commas. */
  readonly invocations?: string;
  readonly groupsToken?: string | undefined;
  /** Asks a long polling client to reconnect. */
  readonly reconnect?: boolean;
};

/** Several messages in one response, or only a cursor, groups token or reconnect request. */
export function batchText({ cursor, invocations = '', groupsToken, reconnect = false }: Batch): string {
  const reconnectMember = reconnect ? '"T":1,' : '';
  return `{"C":${JSON.stringify(cursor)},${reconnectMember}${groupsMember(groupsToken)}"M":[${invocations}]}`;
}

/** Extracts the invocations from the payload of one message, in the form that `batchText` expects. */
export function invocationsText({ cursor }: HubMessage, payload: Buffer): string {
  const cursorMember = cursor === undefined ? '' : `"C":${JSON.stringify(cursor)},`;
  return payload.toString().slice(`{${cursorMember}"M":[`.length, -']}'.length);
}

function groupsMember(groupsToken: string | undefined): string {
  return groupsToken === undefined ? '' : `"G":${JSON.stringify(groupsToken)},`;
}
