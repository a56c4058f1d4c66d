import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['packages', 'tools', 'acceptance', 'bench'];

/** One import or re-export, types included. `target` is a path in the repository; absent for other packages. */
export type Import = { readonly specifier: string; readonly target?: string };

/** A use of a feature that only some files may use. */
export type Habit = 'default export' | 're-export' | 'any' | 'environment' | 'system clock';

export type SourceFile = {
  readonly path: string;
  readonly lines: number;
  /** Lines of its longest function. */
  readonly longestFunction: number;
  readonly imports: readonly Import[];
  /** Names it exports, types included. */
  readonly exports: readonly string[];
  readonly habits: ReadonlySet<Habit>;
};

/** All TypeScript of the repository with what it imports. */
export async function readSources(): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const folder of folders) {
    const pattern = `${folder}/**/*.{ts,tsx}`;
    const isOutside = (path: string) => /(^|\/)(node_modules|dist)(\/|$)/.test(path);
    for await (const path of glob(pattern, { cwd: root, exclude: isOutside })) {
      sources.push(readSource(path, await readFile(join(root, path), 'utf8')));
    }
  }
  return sources.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The imports and habits of one file, from its text. */
export function readSource(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const specifiers: string[] = [];
  const habits = new Set<Habit>();
  let longestFunction = 0;
  const measure = ({ start, end }: { start: number; end: number }) => {
    longestFunction = Math.max(longestFunction, text.slice(start, end).split('\n').length);
  };
  const take = (source: { type: string; value?: unknown } | null) => {
    if (typeof source?.value === 'string') specifiers.push(source.value);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    ImportDeclaration: ({ source }) => take(source),
    ImportExpression: ({ source }) => take(source),
    TSImportType: ({ source }) => take(source),
    ExportAllDeclaration: ({ source }) => {
      take(source);
      habits.add('re-export');
    },
    ExportNamedDeclaration: ({ source }) => {
      take(source);
      if (source) habits.add('re-export');
    },
    ExportDefaultDeclaration: () => habits.add('default export'),
    TSAnyKeyword: () => habits.add('any'),
    MemberExpression: ({ object, property }) => {
      const member = `${nameOf(object)}.${nameOf(property)}`;
      if (member === 'process.env') habits.add('environment');
      if (member === 'Date.now') habits.add('system clock');
    },
    NewExpression: ({ callee, arguments: given }) => {
      if (nameOf(callee) === 'Date' && given.length === 0) habits.add('system clock');
    },
  }).visit(program);
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => (exportName.name === null ? [] : [exportName.name])),
  );
  const imports = specifiers.map((specifier) => resolveImport(path, specifier));
  return { path, lines: linesOf(text), longestFunction, imports, exports, habits };
}

/** Lines as an editor counts them: a newline at the end begins no line. */
const linesOf = (text: string) => text.replace(/\n$/, '').split('\n').length;

function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' ? String(node.name) : '';
}

function resolveImport(from: string, specifier: string): Import {
  if (specifier.startsWith('.')) return { specifier, target: normalize(join(dirname(from), specifier)) };
  const [, name, entrance] = /^@tocsin\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return { specifier };
  const file = entrance === undefined ? 'index.ts' : `${entrance}/index.ts`;
  return { specifier, target: `packages/${name}/src/${file}` };
}
