import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHintSigner, type Hint, longestHintBytes } from './signed-hint.ts';

const secret = 'the secret that all servers of an installation share';
const signer = createHintSigner(secret);

const hints: fc.Arbitrary<Hint> = fc.record({
  kind: fc.constantFrom('journal', 'tidings'),
  tenantId: fc.integer({ min: 1, max: 4_294_967_295 }),
  node: fc.uuid(),
  reached: fc.integer({ min: 0, max: 999_999_999_999_999 }),
});

test('a server reads what another one with the same secret wrote', () => {
  fc.assert(
    fc.property(hints, (hint) => {
      const text = createHintSigner(secret).write(hint);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestHintBytes);
      expect(signer.read(hint, text)).toEqual(hint);
    }),
  );
});

test('a hint holds for one kind, one tenant, one server and one number only', () => {
  fc.assert(
    fc.property(hints, hints, (hint, other) => {
      const [node, reached, signature] = signer.write(hint).split(' ');
      const kind = hint.kind === 'journal' ? 'tidings' : 'journal';
      expect(signer.read({ ...hint, kind }, signer.write(hint))).toBeUndefined();
      fc.pre(other.tenantId !== hint.tenantId && other.node !== node && other.reached !== hint.reached);
      expect(signer.read({ ...hint, tenantId: other.tenantId }, signer.write(hint))).toBeUndefined();
      expect(signer.read(hint, `${other.node} ${reached} ${signature}`)).toBeUndefined();
      expect(signer.read(hint, `${node} ${other.reached} ${signature}`)).toBeUndefined();
      expect(signer.read(hint, `${node} 0${reached} ${signature}`)).toBeUndefined();
    }),
  );
});

test('no other text is a hint, however it was made', () => {
  const topic = { kind: 'journal', tenantId: 1 } as const;
  const hint = { ...topic, node: crypto.randomUUID(), reached: 7 };
  const foreign = createHintSigner('the secret of somebody else').write(hint);
  for (const text of [foreign, '', ' ', `${hint.node} 7`, `${hint.node} 7 `, `${signer.write(hint)} `]) {
    expect(signer.read(topic, text)).toBeUndefined();
  }
  fc.assert(fc.property(fc.string(), (text) => signer.read(topic, text) === undefined));
  const letters = signer.write(hint).split('');
  for (const index of letters.keys()) {
    const changed = letters.with(index, letters[index] === '0' ? '1' : '0').join('');
    expect(signer.read(topic, changed), changed).toBeUndefined();
  }
});
