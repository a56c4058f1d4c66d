import { appendFileSync, readFileSync } from 'node:fs';

/** What a client did and what it heard. Unknown: the connection broke, or the answer was none of yes and no. */
export type ClientLine = {
  seed: number;
  tenantId: number;
  op: 'raise' | 'repeat' | 'acknowledge' | 'reset' | 'mask' | 'unmask';
  /** The Idempotency-Key, and the path of the alarm. */
  key: string;
  message: string;
  priority: number;
  /** Epoch milliseconds. */
  invoked: number;
  ended: number;
  outcome: 'ok' | 'fail' | 'unknown';
  alarmId: number;
  /** The call group that the alarm calls. */
  groupId: number;
  /** How long a mask lasts at most; 0 for anything else. */
  seconds: number;
};

/** One JSON object a line, on disk: the checker reads what was written, and not what somebody remembers. */
export class ClientLog {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  write(line: ClientLine): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  read(seed: number): ClientLine[] {
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ClientLine)
      .filter((line) => line.seed === seed);
  }
}
