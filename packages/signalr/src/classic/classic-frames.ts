import type { HubMessage } from '../hub-message.ts';

/** Said in every interval so that client and proxies know that the line is alive. */
export const keepAliveText = '{}';

/** The client is connected, and hears of everything after `cursor`. */
export function initText(cursor: string, groupsToken: string | undefined): string {
  return `{"C":${JSON.stringify(cursor)},"S":1,${groupsMember(groupsToken)}"M":[]}`;
}

/** The last word: clients from 2.4 on stop at once instead of trying again. */
export function errorText(error: string): string {
  return JSON.stringify({ E: error });
}

export type Batch = {
  readonly cursor: string;
  /** The calls of all messages, separated by commas. */
  readonly calls?: string;
  readonly groupsToken?: string | undefined;
  /** Asks a polling client to come again by /reconnect. */
  readonly reconnect?: boolean;
};

/** Several messages in one, or none with something else to say. */
export function batchText({ cursor, calls = '', groupsToken, reconnect = false }: Batch): string {
  const please = reconnect ? '"T":1,' : '';
  return `{"C":${JSON.stringify(cursor)},${please}${groupsMember(groupsToken)}"M":[${calls}]}`;
}

/** The calls within the payload of one message, as `batchText` takes them. */
export function callsOf({ cursor }: HubMessage, payload: Buffer): string {
  const place = cursor === undefined ? '' : `"C":${JSON.stringify(cursor)},`;
  return payload.toString().slice(`{${place}"M":[`.length, -']}'.length);
}

function groupsMember(groupsToken: string | undefined): string {
  return groupsToken === undefined ? '' : `"G":${JSON.stringify(groupsToken)},`;
}
