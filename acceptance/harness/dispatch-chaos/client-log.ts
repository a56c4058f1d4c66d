import { appendFileSync, readFileSync } from 'node:fs';

/** A request of a client and its outcome; `unknown` if it was neither accepted nor refused. */
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
  /** Duration of a mask; 0 for other operations. */
  seconds: number;
};

/** A log of one JSON object a line, on disk, so that the checker does not depend on the memory of the clients. */
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
