/** Writes `docs/asvs.md` from the answers in `asvs/`; with `--check` only reports whether it is up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { asvsPage, listFaults, requirements } from './asvs/asvs-page.ts';
import { isThere } from './security-claim.ts';

const file = new URL('../docs/asvs.md', import.meta.url);

const missing = requirements.flatMap(({ proofs }) => proofs).filter((proof) => !isThere(proof));
const faults = [
  ...missing.map(([path, name]) => `${path} has no test "${name}"`),
  ...listFaults(requirements),
];
for (const fault of faults) console.error(fault);
const text = asvsPage(requirements);
if (faults.length > 0) process.exitCode = 1;
else if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/asvs.md is stale: run `npm run asvs`');
  process.exitCode = 1;
}
