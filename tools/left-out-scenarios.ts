/** Prints the files of the long scenarios that the run of a change leaves out; none without `SAMPLE_SEED`. */
import { leftOut } from './long-scenarios.ts';

const seed = process.env['SAMPLE_SEED'];
const names = seed === undefined ? [] : leftOut(Number(seed));
for (const name of names) console.log(`${name}.test.ts`);
