import type { Finding, Severity } from './finding.ts';

/** The order of the groups in the report: from the settings to the people. */
const groups = [
  'settings',
  'files',
  'disk',
  'system',
  'programs',
  'network',
  'tls',
  'nats',
  'database',
  'schema',
  'secrets',
  'clock',
  'channels',
  'people',
];

const groupOf = ({ name }: Finding) => name.split('.', 1)[0] ?? '';
const placeOf = (finding: Finding) => groups.indexOf(groupOf(finding));
const countOf = (findings: readonly Finding[], wanted: Severity) =>
  findings.filter(({ severity }) => severity === wanted).length;

/** The findings by group; within a group they keep their order. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** One line for each finding, under the names of their groups, and a summary. */
export function textReport(findings: readonly Finding[]): string {
  const parts = [...Map.groupBy(inOrder(findings), groupOf)].map(
    ([group, some]) => `${group}\n${some.map(lineOf).join('\n')}\n`,
  );
  return `${parts.join('')}\n${summaryOf(findings)}\n`;
}

function lineOf({ severity, name, message, remedy }: Finding): string {
  const advice = remedy === '' ? '' : `. To do: ${remedy}`;
  // One line for each finding, also when the message of a library has several.
  return `  ${severity.padEnd('warning'.length)}  ${name}  ${message}${advice}`.replaceAll(/\s*\n\s*/g, ' ');
}

function summaryOf(findings: readonly Finding[]): string {
  const [errors, warnings] = [countOf(findings, 'error'), countOf(findings, 'warning')];
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${countOf(findings, 'ok')} in order`;
}

export function jsonReport(findings: readonly Finding[]): string {
  const [errors, warnings] = [countOf(findings, 'error'), countOf(findings, 'warning')];
  const report = { healthy: errors === 0, errors, warnings, findings: inOrder(findings) };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

export const exitCodes = { healthy: 0, errors: 1, usage: 2, warnings: 3 };

/** Warnings count only if the caller is strict. */
export function exitCodeOf(findings: readonly Finding[], { strict }: { strict: boolean }): number {
  if (countOf(findings, 'error') > 0) return exitCodes.errors;
  return strict && countOf(findings, 'warning') > 0 ? exitCodes.warnings : exitCodes.healthy;
}
