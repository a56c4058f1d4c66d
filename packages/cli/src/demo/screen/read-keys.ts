import type { Input } from '../../command/command.ts';

const controlC = '\u0003';
const controlD = '\u0004';

/** Calls `onKey` with each key that is pressed on a terminal, until the result is called. Elsewhere there are no keys. */
export function readKeys(stdin: Input, onKey: (key: string) => void): () => void {
  if (!stdin.isTTY || !stdin.setRawMode) return () => {};
  const onData = (chunk: Buffer | string) => {
    for (const key of String(chunk)) onKey(key === controlC || key === controlD ? 'q' : key.toLowerCase());
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
}
