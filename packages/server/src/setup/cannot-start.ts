/** The reasons why the server does not start, for the operator. */
export class CannotStart extends Error {
  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join('\n'), { cause });
    this.name = 'CannotStart';
  }
}
