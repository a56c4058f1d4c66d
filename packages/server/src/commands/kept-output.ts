const maxBytes = 65_536;

export type KeptOutput = {
  add(chunk: Buffer): void;
  text(): string;
  readonly isCut: boolean;
};

/** Keeps the beginning of a program's output and drops the rest, so that the program never blocks on writing. */
export function keepOutput(): KeptOutput {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  return {
    add: (chunk) => {
      const room = maxBytes - size;
      if (chunk.length > room) isCut = true;
      if (room <= 0) return;
      const kept = chunk.subarray(0, room);
      chunks.push(kept);
      size += kept.length;
    },
    // PostgreSQL cannot store NUL.
    text: () => new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\u0000', '\uFFFD'),
    get isCut() {
      return isCut;
    },
  };
}
