import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

export type NodeMessageKind = 'journal' | 'call-events';

/** Announces to other servers that a tenant's journal or call events have reached a number. Carries no content. */
export type NodeMessage = {
  readonly kind: NodeMessageKind;
  readonly tenantId: number;
  /** The process that sent it. */
  readonly node: string;
  /** The `seq` of the journal; for call events a counter of the sending node. */
  readonly reached: number;
};

export type MessageSigner = {
  write(message: NodeMessage): string;
  /** Undefined unless a server of this installation signed exactly this text, for this kind and tenant. */
  read(topic: Pick<NodeMessage, 'kind' | 'tenantId'>, text: string): NodeMessage | undefined;
};

/** 36 + 15 + 43 characters and two spaces. Longer messages are ignored unread. */
export const maxMessageBytes = 96;

const shape = /^([0-9a-f-]{36}) ([0-9]{1,15}) ([A-Za-z0-9_-]{43})$/;

/** All servers of an installation share the secret; the label separates this key from others derived from it. */
export function createMessageSigner(secret: string): MessageSigner {
  // A key object, because plain bytes take five times as long, at each commit of an alarm.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'tocsin', 'hub node message v1', 32)));
  const sign = ({ kind, tenantId, node, reached }: NodeMessage) =>
    createHmac('sha256', key)
      .update(`hub node message v1\n${kind}\n${tenantId}\n${node}\n${reached}`)
      .digest('base64url');
  return {
    write: (message) => `${message.node} ${message.reached} ${sign(message)}`,
    read: ({ kind, tenantId }, text) => {
      const [, node, digits, given] = shape.exec(text) ?? [];
      if (node === undefined || digits === undefined || given === undefined) return undefined;
      const message = { kind, tenantId, node, reached: Number(digits) };
      // Both are 43 characters long.
      const isGenuine = timingSafeEqual(Buffer.from(given), Buffer.from(sign(message)));
      // Refuses `07` for `7`, which would be a second text with the same signature.
      return isGenuine && String(message.reached) === digits ? message : undefined;
    },
  };
}
