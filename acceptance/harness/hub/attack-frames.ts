/** Random integers from 0 to before `below`, the same for the same seed (Mulberry32). */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

export function oneOf<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[random(items.length)] ?? items[0];
}

const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** JSON of a value that no method of the hub expects. */
function oddJson(random: Random): string {
  return oneOf<() => string>(random, [
    () => nested(1 + random(4_000), '[', ']'),
    () => nested(1 + random(1_500), '{"a":', '}').replace(':}', ':1}'),
    () => '1e400',
    () => '-1',
    () => '9007199254740993',
    () => String(random(1_000_000)),
    () => 'null',
    () => '"__proto__"',
    () => `"${'x'.repeat(random(3_000))}"`,
    () => `{"search":"${'a '.repeat(random(500))}"}`,
    () => '{"__proto__":{"changes":true},"constructor":1}',
    () => `{"stationId":"one","changes":${random(2) === 0}}`,
    () => `{"changes":true,"alarmState":${random(5)}}`,
    () => '{"tagGroupId":4294967295,"scenarioId":1,"callGroupId":2}',
    () => '{"tagGroupId":[],"search":{}}',
  ])();
}

const methods = ['subscribe', 'resume', 'unsubscribe', 'constructor', 'RESUME', ''] as const;

/** One message of the Core protocol, valid or not, without its terminator. */
function coreMessage(random: Random): string {
  const id = oneOf(random, ['"1"', 'null', '7', '{}', `"${'9'.repeat(random(400))}"`]);
  const call = `"target":"${oneOf(random, methods)}","arguments":[${oddJson(random)}]`;
  return oneOf<() => string>(random, [
    () => `{"type":1,"invocationId":"1",${call}}`,
    () => `{"type":1,${call}}`,
    () => `{"type":1,"invocationId":${id},${call}}`,
    () => `{"type":4,"invocationId":${id},${call},"streamIds":["1","1"]}`,
    () => `{"type":2,"invocationId":${id},"item":${oddJson(random)}}`,
    () => `{"type":3,"invocationId":${id},"error":${oddJson(random)}}`,
    () => `{"type":${oddJson(random)}}`,
    () => `{"type":${oneOf(random, ['5', '8', '9'])},"sequenceId":${oddJson(random)},"invocationId":${id}}`,
    () => '{"type":6}',
    () => oddJson(random),
  ])();
}

/** One message of the classic protocol, valid or not. */
export function classicMessage(random: Random): string {
  const call = `"H":"alarmHub","M":"${oneOf(random, methods)}"`;
  return oneOf<() => string>(random, [
    () => `{${call},"A":[${oddJson(random)}],"I":1}`,
    () => `{${call},"A":[],"I":1,"S":${oddJson(random)}}`,
    () => `{${call},"A":${oddJson(random)},"I":${oddJson(random)}}`,
    () => `{"H":${oddJson(random)},"M":${oddJson(random)}}`,
    () => `{"H":"alarmHub","M":"subscribe","A":[{"changes":true}],"I":1,"S":${nested(30_000, '[', ']')}}`,
    () => oddJson(random),
  ])();
}

/** Damages a message: truncates it, repeats a part, or inserts noise. */
export function damaged(random: Random, bytes: Buffer): Buffer {
  const at = random(bytes.length + 1);
  const noise = Buffer.from(Array.from({ length: random(8) }, () => random(256)));
  return oneOf<() => Buffer>(random, [
    () => bytes,
    () => bytes,
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes, bytes.subarray(0, at)]),
    () => Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]),
  ])();
}

/** Frames of a Core client: usually one message, sometimes in single bytes. */
export function coreFrames(random: Random): Buffer[] {
  const message = damaged(random, Buffer.from(`${coreMessage(random)}\u001e`));
  if (random(8) > 0) return [message];
  return Array.from(message.subarray(0, 20), (byte) => Buffer.from([byte]));
}

/** Bytes in the form of MessagePack, with lengths that may be false. */
export function packedFrames(random: Random): Buffer[] {
  const body = Buffer.from(Array.from({ length: random(200) }, () => random(256)));
  const deep = Buffer.alloc(1 + random(20_000), 0x91);
  const packed = oneOf<() => Buffer>(random, [
    () => body,
    () => deep,
    () => Buffer.concat([Buffer.from([0x96, 1, 0x80, 0xa1, 0x31, 0xa6]), Buffer.from('resume'), body]),
    () => Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
    () => Buffer.from([0xc6, 0x7f, 0xff, 0xff, 0xff, 1]),
  ])();
  const length = random(4) === 0 ? random(2 ** 31) : packed.length;
  return [Buffer.concat([varInt(length), packed])];
}

function varInt(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 127 ? (rest % 128) | 0x80 : rest);
    if (rest <= 127) return Buffer.from(bytes);
  }
}
