/** Writes `docs/security.md` from the list of claims, or with `--check` says whether it is up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Proof, SecurityClaim } from './security-claim.ts';
import { securityClaims } from './security-claims.ts';

const root = new URL('../', import.meta.url);
const file = new URL('docs/security.md', root);

const head = `# Security

What somebody might do to an alarm server, what keeps them from it here, and the test that shows it. This page is written by
\`npm run security\` from [tools/security-claims.ts](../tools/security-claims.ts); a row whose test is gone fails the build.
How to report a weakness: [SECURITY.md](../SECURITY.md). How to run a server safely: [operations.md](operations.md).

| Threat | Defence | Shown by |
| --- | --- | --- |
`;

/** Tests whose names are given in a loop, or over several lines, are looked for by the words alone. */
function isThere([path, name]: Proof): boolean {
  const place = new URL(path, root);
  return existsSync(place) && readFileSync(place, 'utf8').includes(name);
}

function rowOf({ threat, defence, proofs }: SecurityClaim): string {
  const shown = proofs.map(([path, name]) => `[${path.split('/').at(-1)}](../${path}): ${name}`);
  return `| ${threat} | ${defence} | ${shown.join('<br>')} |`;
}

const missing = securityClaims.flatMap(({ proofs }) => proofs).filter((proof) => !isThere(proof));
for (const [path, name] of missing) console.error(`${path} has no test "${name}"`);
const text = `${head}${securityClaims.map(rowOf).join('\n')}\n`;
if (missing.length > 0) process.exitCode = 1;
else if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/security.md is stale: run `npm run security`');
  process.exitCode = 1;
}
