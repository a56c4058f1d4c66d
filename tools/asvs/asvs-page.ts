import type { Proof } from '../security-claim.ts';
import { authenticationRequirements } from './authentication.ts';
import { cryptographyRequirements } from './cryptography.ts';
import { inputRequirements } from './input.ts';
import { allNumbers } from './numbers.ts';
import { oauthRequirements } from './oauth.ts';
import { operationRequirements } from './operation.ts';
import type { Requirement } from './requirement.ts';
import { sessionRequirements } from './sessions.ts';
import { webRequirements } from './web.ts';

export const requirements: readonly Requirement[] = [
  ...inputRequirements,
  ...webRequirements,
  ...authenticationRequirements,
  ...sessionRequirements,
  ...oauthRequirements,
  ...cryptographyRequirements,
  ...operationRequirements,
];

const chapters = [
  'Encoding and sanitization',
  'Validation and business logic',
  'Web front end',
  'Interface',
  'Files',
  'Authentication',
  'Sessions',
  'Authorization',
  'Self-contained tokens',
  'OAuth and OpenID Connect',
  'Cryptography',
  'Communication',
  'Configuration',
  'Data protection',
  'Architecture and dependencies',
  'Logs and errors',
  'WebRTC',
];

const head = `# ASVS 5.0, level 2

How Tocsin answers each requirement of levels 1 and 2 of the [OWASP Application Security Verification
Standard](https://owasp.org/www-project-application-security-verification-standard/) 5.0.0. The requirements are in our own words; the
numbers lead to the text of the standard. "Met" means that a test shows it; the build fails if a test of a row is missing. What is only
true without a test is listed as not met. \`npm run asvs\` generates this page from [tools/asvs](../tools/asvs). This is a statement of
the authors, not of an independent assessor.
`;

/** Requirements that are missing, there twice, or of another level, one line each; empty if the list is complete. */
export function listFaults(list: readonly Pick<Requirement, 'id' | 'level'>[]): string[] {
  const wanted = allNumbers.map(({ id, level }) => `${id} (level ${level})`);
  const found = list.map(({ id, level }) => `${id} (level ${level})`);
  return [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `${one} is missing`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `${one} is not in the standard`),
    ...found.filter((one, index) => found.indexOf(one) !== index).map((one) => `${one} is there twice`),
  ];
}

export function asvsPage(list: readonly Requirement[]): string {
  const parts = chapters.map((title, index) => {
    const own = list.filter(({ id }) => id.startsWith(`${index + 1}.`));
    return [
      `## V${index + 1} ${title}`,
      '',
      '| Number | Level | Requirement | | Answer | Shown by |',
      '| --- | --- | --- | --- | --- | --- |',
      ...own.map(rowOf),
    ].join('\n');
  });
  return `${head}\n${summary(list)}\n\n${parts.join('\n\n')}\n`;
}

function summary(list: readonly Requirement[]): string {
  const count = (level: number, status: Requirement['status']) =>
    list.filter((one) => one.level === level && one.status === status).length;
  const rows = [1, 2].map((level) => {
    const counts = (['met', 'not met', 'not applicable'] as const).map((status) => count(level, status));
    return `| ${level} | ${counts.join(' | ')} |`;
  });
  return ['| Level | Met | Not met | Not applicable |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function rowOf({ id, level, asks, status, answer, proofs }: Requirement): string {
  return `| ${id} | ${level} | ${asks} | ${status} | ${answer} | ${proofs.map(linkOf).join('<br>')} |`;
}

function linkOf([path, name]: Proof): string {
  return `[${path.split('/').at(-1)}](../${path}): ${name}`;
}
