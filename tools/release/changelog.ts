/** The kinds of changes, in the order in which a release lists them. */
const changeKinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;
type ChangeKind = (typeof changeKinds)[number];

/** One change, from a file of its own: two branches that each add a file do not conflict. */
export type Fragment = { readonly file: string; readonly kind: ChangeKind; readonly text: string };

/** A fragment from the name of its file, such as `fixed-late-reply.md`, and its text. */
export function readFragment(file: string, text: string): Fragment {
  const [, word] = /^([a-z]+)-[a-z0-9-]+\.md$/.exec(file) ?? [];
  const kind = changeKinds.find((known) => known === word);
  if (kind === undefined)
    throw new Error(`Rename changes/${file} to KIND-words.md; KIND is one of ${changeKinds.join(', ')}.`);
  if (text.trim() === '')
    throw new Error(`changes/${file} is empty: describe the change, or delete the file.`);
  return { file, kind, text: text.trim() };
}

const unreleased = '## Unreleased\n';

/** The changelog after a release: the unreleased changes and the fragments stand under the version and its date. */
export function releaseChangelog(
  changelog: string,
  fragments: readonly Fragment[],
  { version, date }: { version: string; date: string },
): string {
  const start = changelog.indexOf(unreleased);
  if (start === -1)
    throw new Error('CHANGELOG.md has no heading "## Unreleased": add it above the last release.');
  const before = changelog.slice(0, start);
  const after = changelog.slice(start + unreleased.length);
  const next = after.search(/^## /m);
  const body = (next === -1 ? after : after.slice(0, next)).trim();
  const older = next === -1 ? '' : `\n${after.slice(next)}`;
  if (body === '' && fragments.length === 0)
    throw new Error('There is nothing to release: describe the changes in files of the folder changes/.');
  return `${before}${unreleased}\n## ${version} (${date})\n\n${merge(body, fragments)}\n${older}`;
}

/** Adds each fragment at the top of the section of its kind. */
function merge(body: string, fragments: readonly Fragment[]): string {
  const [preface = '', ...parts] = body.split(/^### /m);
  const sections = new Map(parts.map((part) => [headOf(part).toLowerCase(), part]));
  for (const kind of changeKinds) {
    const items = fragments.filter((fragment) => fragment.kind === kind).map(itemOf);
    if (items.length === 0) continue;
    const old = sections.get(kind);
    const rest = old === undefined ? '' : old.slice(headOf(old).length).trim();
    // A list continues with the next item; anything else begins after an empty line.
    const gap = rest.startsWith('- ') ? '\n' : '\n\n';
    const head = kind.charAt(0).toUpperCase() + kind.slice(1);
    sections.set(kind, `${head}\n\n${items.join('\n')}${rest === '' ? '' : gap + rest}`);
  }
  const ordered = [...sections].toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  return [preface.trim(), ...ordered.map(([, part]) => `### ${part.trim()}`)]
    .filter((text) => text !== '')
    .join('\n\n');
}

const headOf = (part: string) => part.split('\n', 1)[0]?.trim() ?? '';

/** Sections with a heading of their own come last. */
function rankOf(head: string): number {
  const rank = changeKinds.findIndex((kind) => kind === head);
  return rank === -1 ? changeKinds.length : rank;
}

function itemOf({ text }: Fragment): string {
  return text.startsWith('- ') ? text : `- ${text.replaceAll('\n', '\n  ')}`;
}
