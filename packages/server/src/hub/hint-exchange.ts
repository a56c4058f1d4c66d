import type { Logger } from 'pino';
import type { Bus } from './nats.channel.ts';
import { createHintSigner, type Hint, type HintKind, longestHintBytes } from './signed-hint.ts';

/** How servers tell each other that there is more to read in the database. Only hints that one of them signed are heard. */
export type HintExchange = {
  readonly isConnected: boolean;
  /** Neither waits nor throws. */
  publish(kind: HintKind, tenantId: number, reached: number): void;
  /** Hears the other servers; the answer stops it. */
  subscribe(kind: HintKind, tenantId: number, hear: (hint: Hint) => void): () => void;
};

/** Between two log lines about messages that no server of the installation has signed. */
const warnEveryMs = 60_000;

const subjectOf = (kind: HintKind, tenantId: number) => `tocsin.${kind}.${tenantId}`;

export function createHintExchange(
  bus: Bus,
  secret: string,
  { log, onRefused }: { log: Logger; onRefused: () => void },
): HintExchange {
  const signer = createHintSigner(secret);
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
    subscribe: (kind, tenantId, hear) => {
      const subject = subjectOf(kind, tenantId);
      return bus.subscribe(subject, (message) => {
        const isShort = message.length <= longestHintBytes;
        const hint = isShort ? signer.read({ kind, tenantId }, message.text()) : undefined;
        if (hint === undefined) refuse(subject);
        else if (hint.node !== ownNode) hear(hint);
      });
    },
  };
}
