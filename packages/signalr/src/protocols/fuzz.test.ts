import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type HubProtocol, ProtocolError } from './hub-protocol.ts';
import { jsonProtocol } from './json-hub-protocol.ts';
import { messagePackProtocol } from './messagepack-hub-protocol.ts';
import { clientMessages, officialFrame } from './testing/official-frames.fixture.ts';

const framesPerProtocol = 50_000;
const framesPerDecoder = 20;
const maxHeapGrowthBytes = 16 * 1_024 * 1_024;

/** The Mulberry32 generator, which gives the same numbers on every run. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
type Random = ReturnType<typeof randomFrom>;

const mutations: ((frame: Buffer, random: Random) => Buffer)[] = [
  (frame) => frame,
  (frame, random) => frame.subarray(0, random(frame.length)),
  (frame, random) => frame.subarray(random(frame.length)),
  (frame, random) => Buffer.concat([frame, frame.subarray(random(frame.length))]),
  (frame, random) => {
    const start = random(frame.length);
    return Buffer.concat([frame.subarray(0, start), frame.subarray(start + 1 + random(8))]);
  },
  (frame, random) => {
    const start = random(frame.length);
    const noise = Buffer.from(Array.from({ length: 1 + random(8) }, () => random(256)));
    return Buffer.concat([frame.subarray(0, start), noise, frame.subarray(start)]);
  },
  (frame, random) => {
    const changed = Buffer.from(frame);
    for (let count = 1 + random(6); count > 0; count -= 1) changed[random(changed.length)] = random(256);
    return changed;
  },
];

/** Parses mutated frames in pieces and counts the parsed and the rejected messages. */
function fuzz({ name, createDecoder }: HubProtocol, random: Random) {
  const frames = clientMessages.map((message) => officialFrame(name, message));
  const counts = { parsed: 0, rejected: 0 };
  let decoder = createDecoder(32_768);
  for (let count = 0; count < framesPerProtocol; count += 1) {
    if (count % framesPerDecoder === 0) decoder = createDecoder(32_768);
    const frame = frames[random(frames.length)] ?? Buffer.alloc(0);
    const mutated = mutations[random(mutations.length)]?.(frame, random) ?? frame;
    const cut = random(mutated.length + 1);
    try {
      for (const piece of [mutated.subarray(0, cut), mutated.subarray(cut)]) {
        decoder.add(piece);
        while (decoder.next() !== undefined) counts.parsed += 1;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      counts.rejected += 1;
      decoder = createDecoder(32_768);
    }
  }
  return counts;
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test.for([jsonProtocol, messagePackProtocol])(
  '50,000 damaged frames are parsed or rejected without another error: $name',
  (protocol) => {
    fuzz(protocol, randomFrom(1));
    const before = heapAfterCollection();
    const counts = fuzz(protocol, randomFrom(20_261_115));
    expect(heapAfterCollection() - before).toBeLessThan(maxHeapGrowthBytes);
    expect(counts.parsed).toBeGreaterThan(5_000);
    expect(counts.rejected).toBeGreaterThan(5_000);
  },
);
