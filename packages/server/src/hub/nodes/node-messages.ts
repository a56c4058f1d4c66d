import type { Logger } from 'pino';
import { type Bus, subjectPrefix } from './nats.channel.ts';
import {
  createMessageSigner,
  maxMessageBytes,
  type NodeMessage,
  type NodeMessageKind,
} from './signed-message.ts';

/** Announces new database rows between the servers of an installation. Unsigned messages are ignored. */
export type NodeMessages = {
  readonly isConnected: boolean;
  /** Neither waits nor throws. */
  publish(kind: NodeMessageKind, tenantId: number, reached: number): void;
  /** Receives the messages of other servers until the returned function is called. */
  subscribe(kind: NodeMessageKind, tenantId: number, onMessage: (message: NodeMessage) => void): () => void;
};

/** Between two log lines about unsigned messages. */
const warnEveryMs = 60_000;

const subjectOf = (kind: NodeMessageKind, tenantId: number) => `${subjectPrefix}.${kind}.${tenantId}`;

export function openNodeMessages(
  bus: Bus,
  secret: string,
  { log, onRefused }: { log: Logger; onRefused: () => void },
): NodeMessages {
  const signer = createMessageSigner(secret);
  const ownNode = crypto.randomUUID();
  let hasWarned = false;
  const refuse = (subject: string) => {
    onRefused();
    if (hasWarned) return;
    hasWarned = true;
    setTimeout(() => (hasWarned = false), warnEveryMs).unref();
    log.warn({ subject }, 'message on NATS ignored: no server of this installation has signed it');
  };
  return {
    get isConnected() {
      return bus.isConnected;
    },
    publish: (kind, tenantId, reached) =>
      bus.publish(subjectOf(kind, tenantId), signer.write({ kind, tenantId, node: ownNode, reached })),
    subscribe: (kind, tenantId, onMessage) => {
      const subject = subjectOf(kind, tenantId);
      return bus.subscribe(subject, (received) => {
        const isShort = received.length <= maxMessageBytes;
        const message = isShort ? signer.read({ kind, tenantId }, received.text()) : undefined;
        if (message === undefined) refuse(subject);
        else if (message.node !== ownNode) onMessage(message);
      });
    },
  };
}
