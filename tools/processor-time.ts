import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/**
 * Adds a line for each test file to the file named by `PROCESSOR_TIME_LOG`: seconds of processor time, seconds from start
 * to end, and its name. Counts the worker and the programs it has started and ended, such as servers and browsers; not the
 * PostgreSQL that all files share.
 */
const log = process.env['PROCESSOR_TIME_LOG'];
if (log) {
  const [file, begun, used] = [expect.getState().testPath ?? '', performance.now(), processorSeconds()];
  // Registered before the hooks of the file, so it runs after them, when its programs have ended.
  afterAll(() => {
    const elapsed = (performance.now() - begun) / 1000;
    const line = [processorSeconds() - used, elapsed].map((seconds) => seconds.toFixed(1)).join(' ');
    appendFileSync(log, `${line} ${relative(process.cwd(), file)}\n`);
  });
}

/** Of this process and of the children it has waited for, in Linux's unit of a hundredth of a second. */
function processorSeconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program before the bracket may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
