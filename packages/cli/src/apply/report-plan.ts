import { grouped, plainText } from '../common/terminal-text.ts';
import { nouns, type Section, sections } from '../plant/kind.ts';
import type { Plan, Step } from './plan-apply.ts';

/** New objects of a section that are listed one by one. */
const mostListed = 20;
const longestValue = 80;

/** The differences as people read them: `+` new, `~` changed. */
export function planText({ steps, unchanged }: Plan, { dryRun }: { dryRun: boolean }): string {
  const created = steps.filter(({ item }) => !item);
  const changed = steps.filter(({ item }) => item);
  const counts = `${created.length} created, ${changed.length} changed, ${unchanged} unchanged`;
  return [
    ...sections.flatMap((section) =>
      createdLines(
        section,
        created.filter((step) => step.section === section),
      ),
    ),
    ...changed.flatMap(changedLines),
    `${counts}.${dryRun ? ' Dry run: nothing was written.' : ''}`,
    '',
  ].join('\n');
}

function createdLines(section: Section, steps: readonly Step[]): string[] {
  const lines = steps.slice(0, mostListed).map(({ name }) => `+ ${nouns[section]} ${plainText(name)}`);
  const rest = steps.length - lines.length;
  if (rest === 0) return lines;
  const plural = section === 'people' ? 'people' : `${nouns[section]}s`;
  return [...lines, `+ … and ${grouped(rest)} more ${plural}`];
}

function changedLines({ section, name, changes }: Step): string[] {
  const fields = changes.map(
    ({ field, before, after }) => `    ${field}: ${shown(before)} → ${shown(after)}`,
  );
  return [`~ ${nouns[section]} ${plainText(name)}`, ...fields];
}

function shown(value: unknown): string {
  const text = plainText(value === undefined ? '(none)' : JSON.stringify(value));
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

/** The differences as programs read them. */
export function planJson({ steps, unchanged }: Plan, { dryRun }: { dryRun: boolean }): object {
  const named = ({ section, name }: Step) => ({ kind: nouns[section], name });
  return {
    dryRun,
    created: steps.filter(({ item }) => !item).map(named),
    changed: steps
      .filter(({ item }) => item)
      .map(({ section, name, changes }) => ({ kind: nouns[section], name, changes })),
    unchanged,
  };
}
