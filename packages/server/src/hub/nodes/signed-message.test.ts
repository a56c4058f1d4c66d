import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageSigner, maxMessageBytes, type NodeMessage } from './signed-message.ts';

const secret = 'the secret that all servers of an installation share';
const signer = createMessageSigner(secret);

const messages: fc.Arbitrary<NodeMessage> = fc.record({
  kind: fc.constantFrom('journal', 'call-events'),
  tenantId: fc.integer({ min: 1, max: 4_294_967_295 }),
  node: fc.uuid(),
  reached: fc.integer({ min: 0, max: 999_999_999_999_999 }),
});

test('a server reads the messages of another one with the same secret', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const text = createMessageSigner(secret).write(message);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxMessageBytes);
      expect(signer.read(message, text)).toEqual(message);
    }),
  );
});

test('a message is valid for one kind, tenant, server and number only', () => {
  fc.assert(
    fc.property(messages, messages, (message, other) => {
      const [node, reached, signature] = signer.write(message).split(' ');
      const kind = message.kind === 'journal' ? 'call-events' : 'journal';
      expect(signer.read({ ...message, kind }, signer.write(message))).toBeUndefined();
      fc.pre(other.tenantId !== message.tenantId && other.node !== node && other.reached !== message.reached);
      expect(signer.read({ ...message, tenantId: other.tenantId }, signer.write(message))).toBeUndefined();
      expect(signer.read(message, `${other.node} ${reached} ${signature}`)).toBeUndefined();
      expect(signer.read(message, `${node} ${other.reached} ${signature}`)).toBeUndefined();
      expect(signer.read(message, `${node} 0${reached} ${signature}`)).toBeUndefined();
    }),
  );
});

test('no other text is a valid message', () => {
  const topic = { kind: 'journal', tenantId: 1 } as const;
  const message = { ...topic, node: crypto.randomUUID(), reached: 7 };
  const foreign = createMessageSigner('the secret of somebody else').write(message);
  for (const text of [
    foreign,
    '',
    ' ',
    `${message.node} 7`,
    `${message.node} 7 `,
    `${signer.write(message)} `,
  ]) {
    expect(signer.read(topic, text)).toBeUndefined();
  }
  fc.assert(fc.property(fc.string(), (text) => signer.read(topic, text) === undefined));
  const letters = signer.write(message).split('');
  for (const index of letters.keys()) {
    const changed = letters.with(index, letters[index] === '0' ? '1' : '0').join('');
    expect(signer.read(topic, changed), changed).toBeUndefined();
  }
});
