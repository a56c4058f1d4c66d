import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPublicKeyPem } from '../audit/audit-keys.ts';
import { readExport, readHeads } from '../audit/read-export.ts';
import { type Trail, verifyTrail } from '../audit/verify-trail.ts';
import { CannotStart } from './cannot-start.ts';

const usage = 'audit verify EXPORT --public-key FILE [--heads FILE ...]';

const options = {
  'public-key': { type: 'string' },
  heads: { type: 'string', multiple: true },
} as const;

/** The command `audit verify`: needs neither settings nor a database. Throws if there are faults. */
export function verifyAudit(args: string[]): string {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [path, ...more] = positionals;
  const { 'public-key': keyPath, heads: headPaths = [] } = values;
  if (path === undefined || keyPath === undefined || more.length > 0)
    throw new CannotStart([`Usage: ${usage}`]);
  const keys = readPublicKeyPem(readFileSync(keyPath, 'utf8'));
  if (keys.length === 0) throw new CannotStart([`${keyPath} holds no public key in PEM`]);
  const trail = readExport(readFileSync(path, 'utf8'));
  if ('fault' in trail) throw new CannotStart([`${path}: ${trail.fault}`]);
  const heads = headPaths.flatMap((file) => readHeads(readFileSync(file, 'utf8')));
  const faults = verifyTrail(trail, { keys, heads });
  if (faults.length > 0) throw new CannotStart(faults);

  return report(trail, heads.filter(({ tenantId }) => tenantId === trail.tenantId).length);
}

function report({ tenantId, entries }: Trail, used: number): string {
  const range = `entries ${entries[0]?.number ?? 0} to ${entries.at(-1)?.number ?? 0}`;
  const warning =
    used === 0 ? '\nWithout --heads of this tenant a cut tail or an older copy would not be found.' : '';
  return `The trail of tenant ${tenantId} is whole: ${range}, ${used} published heads.${warning}`;
}
