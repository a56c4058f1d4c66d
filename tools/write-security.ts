/** Writes `docs/security.md` from the list of claims; with `--check` only reports whether it is up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isThere, type SecurityClaim } from './security-claim.ts';
import { securityClaims } from './security-claims.ts';

const root = new URL('../', import.meta.url);
const file = new URL('docs/security.md', root);

const head = `# Security

Threats to an alarm server, the defence against each, and the tests that show it. \`npm run security\` generates this page from
[tools/security-claims.ts](../tools/security-claims.ts); the build fails if a test of a row is missing. To report a
vulnerability, see [SECURITY.md](../SECURITY.md). To run a server safely, see [operations.md](operations.md).

| Threat | Defence | Shown by |
| --- | --- | --- |
`;

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
