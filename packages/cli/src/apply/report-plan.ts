import { grouped, plainText } from '../common/terminal-text.ts';
import { nouns, type Section, sections } from '../plant/kind.ts';
import type { Applied } from './apply-plant-file.ts';
import type { Step } from './plan-apply.ts';
import type { Kept, Pruning, Removal } from './plan-pruning.ts';

/** New objects of a section that are listed one by one. */
const mostListed = 20;
const longestValue = 80;

/** The differences as people read them: `+` new, `~` changed, `-` removed, `!` not removed. */
export function planText({ steps, unchanged, pruning }: Applied, { dryRun }: { dryRun: boolean }): string {
  const created = steps.filter(({ item }) => !item);
  const changed = steps.filter(({ item }) => item);
  const removed = pruning ? `${pruning.removals.length} removed, ` : '';
  const counts = `${created.length} created, ${changed.length} changed, ${removed}${unchanged} unchanged`;
  return [
    ...sections.flatMap((section) =>
      createdLines(
        section,
        created.filter((step) => step.section === section),
      ),
    ),
    ...changed.flatMap(changedLines),
    ...(pruning ? pruningLines(pruning) : []),
    `${counts}.${dryRun ? ' Dry run: nothing was written.' : ''}`,
    '',
  ].join('\n');
}

function createdLines(section: Section, steps: readonly Step[]): string[] {
  const lines = steps.slice(0, mostListed).map(({ name }) => `+ ${nouns[section]} ${plainText(name)}`);
  const rest = steps.length - lines.length;
  if (rest === 0) return lines;
  return [...lines, `+ … and ${grouped(rest)} more ${pluralOf(section)}`];
}

const pluralOf = (section: Section) => (section === 'people' ? 'people' : `${nouns[section]}s`);

function changedLines({ section, name, changes }: Step): string[] {
  const fields = changes.map(
    ({ field, before, after }) => `    ${field}: ${shown(before)} → ${shown(after)}`,
  );
  return [`~ ${nouns[section]} ${plainText(name)}`, ...fields];
}

function pruningLines({ removals, kept, uncalled }: Pruning): string[] {
  const removed = sections.flatMap((section) =>
    removedLines(
      section,
      removals.filter((removal) => removal.section === section),
    ),
  );
  const quiet =
    uncalled.length > 0 ? [`No longer called by anything: ${plainText(uncalled.join(', '))}`] : [];
  return [...removed, ...kept.flatMap(keptLines), ...quiet];
}

function removedLines(section: Section, removals: readonly Removal[]): string[] {
  const lines = removals.slice(0, mostListed).flatMap(removalLines);
  const rest = removals.length - mostListed;
  return rest > 0 ? [...lines, `- … and ${grouped(rest)} more ${pluralOf(section)}`] : lines;
}

function removalLines({ section, name, consequences }: Removal): string[] {
  return [`- ${nouns[section]} ${plainText(name)}`, ...consequences.map(indented)];
}

function keptLines({ section, name, reasons }: Kept): string[] {
  return [`! ${nouns[section]} ${plainText(name)} is kept`, ...reasons.map(indented)];
}

const indented = (text: string) => `    ${plainText(text)}`;

function shown(value: unknown): string {
  const text = plainText(value === undefined ? '(none)' : JSON.stringify(value));
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

/** The differences as programs read them. */
export function planJson({ steps, unchanged, pruning }: Applied, { dryRun }: { dryRun: boolean }): object {
  const named = ({ section, name }: Step) => ({ kind: nouns[section], name });
  return {
    dryRun,
    created: steps.filter(({ item }) => !item).map(named),
    changed: steps
      .filter(({ item }) => item)
      .map(({ section, name, changes }) => ({ kind: nouns[section], name, changes })),
    ...(pruning && {
      removed: pruning.removals.map(({ section, name, consequences }) => ({
        kind: nouns[section],
        name,
        consequences,
      })),
      kept: pruning.kept.map(({ section, name, reasons }) => ({ kind: nouns[section], name, reasons })),
      uncalled: pruning.uncalled,
    }),
    unchanged,
  };
}
