import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '../phone-company/protocol.ts';

export type Fits = (line: LogLine) => boolean;

const pollMs = 25;

/** Follows the log of the phone company once for all tests that wait for lines of it. */
export class LogWatch {
  readonly lines: LogLine[] = [];
  readonly #file: FileHandle;
  #offset = 0;
  #rest = '';
  #open = true;
  readonly #running: Promise<void>;

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#running = this.#run();
  }

  static async open(logFile: string): Promise<LogWatch> {
    return new LogWatch(await open(logFile));
  }

  /** Waits for `count` lines that fit and returns them; fails after `withinMs` with those found. */
  async until(fits: Fits, { count = 1, withinMs = 20_000 } = {}): Promise<LogLine[]> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = this.lines.filter(fits);
      if (found.length >= count) return found;
      if (performance.now() > deadline)
        throw new Error(`${found.length} of ${count} after ${withinMs} ms: ${JSON.stringify(found)}`);
      await sleep(pollMs);
    }
  }

  async close(): Promise<void> {
    this.#open = false;
    await this.#running;
    await this.#file.close();
  }

  async #run(): Promise<void> {
    const chunk = Buffer.alloc(1 << 16);
    while (this.#open) {
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#offset);
      this.#offset += bytesRead;
      const parts = (this.#rest + chunk.toString('utf8', 0, bytesRead)).split('\n');
      this.#rest = parts.pop() ?? '';
      this.lines.push(...parts.map((part) => JSON.parse(part) as LogLine));
      if (bytesRead < chunk.length) await sleep(pollMs);
    }
  }
}
