import { folderOrder, packageImports, positionOf } from './folder-order.ts';
import type { Habit, SourceFile } from './import-graph.ts';

/** A rule about the sources, and each place that breaks it. */
export type Rule = { readonly says: string; faults(sources: readonly SourceFile[]): string[] };

/** The third-party packages that packages without I/O may import. */
const outsideImports: Record<string, readonly string[]> = {
  domain: ['temporal-polyfill'],
  contract: ['typebox'],
};

/** The files that pass the system clock to others. */
const clockSources = [
  'packages/server/src/main.ts',
  'packages/server/src/serve.ts',
  'packages/client/src/common/system-clock.ts',
  'packages/console/src/time/current-time.ts',
  'packages/cli/src/main.ts',
];

const maxFileLines = 350;
const maxFunctionLines = 60;
const maxFilesInFolder = 25;

const isTest = (path: string) => /\.(test|fixture)\.tsx?$|\/testing\/|\.property\.test\.ts$/.test(path);
/** Styles and pictures are found by the build of the console. */
const isSource = (path: string) => !/\.(css|svg)$/.test(path);
const isProduct = ({ path }: SourceFile) => path.startsWith('packages/') && !isTest(path);
const packageOf = (path: string) => /^packages\/([^/]+)\//.exec(path)?.[1];
/** The package and the folder below its `src`; the folder is empty for a file at the root. */
const placeOf = (path: string) => {
  const [, name, folder = ''] = /^packages\/([^/]+)\/src\/(?:(.+)\/)?[^/]+$/.exec(path) ?? [];
  return name === undefined ? undefined : { name, folder };
};
const areaOf = (path: string) => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
const isServerProduct = (source: SourceFile) => isProduct(source) && packageOf(source.path) === 'server';

/** `packages/server/src/alarms/raise-alarm.ts` → `raiseAlarm`. */
const functionOf = (path: string) =>
  (path.split('/').at(-1) ?? '')
    .replace(/\.tsx?$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A use case is a file without a dot in its name that exports a function of that name. */
function isUseCase({ path, exports }: SourceFile): boolean {
  const folder = areaOf(path);
  if (folder === undefined || folder === 'postgres' || folder === 'http' || isTest(path)) return false;
  return !functionOf(path).includes('.') && exports.includes(functionOf(path));
}

type Edge = { from: SourceFile; specifier: string; target: string | undefined };

function edgesOf(sources: readonly SourceFile[]): Edge[] {
  return sources.flatMap((from) =>
    from.imports.map(({ specifier, target }) => ({ from, specifier, target })),
  );
}

function importRule(says: string, isWrong: (edge: Edge, sources: readonly SourceFile[]) => boolean): Rule {
  return {
    says,
    faults: (sources) =>
      edgesOf(sources)
        .filter((edge) => isWrong(edge, sources))
        .map(({ from, specifier }) => `${from.path} imports ${specifier}`),
  };
}

function habitRule(says: string, habit: Habit, mayHave: (source: SourceFile) => boolean): Rule {
  return {
    says,
    faults: (sources) =>
      sources
        .filter((source) => source.habits.has(habit) && !mayHave(source))
        .map(({ path }) => `${path}: ${habit}`),
  };
}

const packages = importRule('a package imports only the packages below it', ({ from, target }) => {
  const own = packageOf(from.path);
  const other = target === undefined ? undefined : packageOf(target);
  if (own === undefined || other === undefined || own === other) return false;
  return !(packageImports[own] ?? []).includes(other);
});

const entrances = importRule(
  'a package is entered through its index, and through ./testing by tests, tools, acceptance and bench only',
  ({ from, specifier, target }) => {
    const other = target === undefined ? undefined : packageOf(target);
    if (other === undefined || packageOf(from.path) === other) return false;
    if (specifier === `@tocsin/${other}`) return false;
    return (
      specifier !== `@tocsin/${other}/testing` || (packageOf(from.path) !== undefined && !isTest(from.path))
    );
  },
);

const outside = importRule(
  'of other packages the domain needs only Temporal, the contract only TypeBox',
  ({ from, specifier, target }) => {
    const allowed = outsideImports[packageOf(from.path) ?? ''];
    if (allowed === undefined || target !== undefined || !isProduct(from)) return false;
    return !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  },
);

const existing = importRule(
  'what is imported exists',
  ({ target }, sources) =>
    target !== undefined && isSource(target) && !sources.some(({ path }) => path === target),
);

const folders = importRule('a folder imports only from folders below it', ({ from, target }) => {
  const own = placeOf(from.path);
  const other = target === undefined ? undefined : placeOf(target);
  if (!isProduct(from) || !own || !other || own.name !== other.name || !folderOrder[own.name]) return false;
  const position = positionOf(own.name, own.folder);
  const otherPosition = positionOf(other.name, other.folder);
  return position === undefined || otherPosition === undefined || otherPosition > position;
});

const smallFolders: Rule = {
  says: `no folder has more than ${maxFilesInFolder} source files of its own`,
  faults: (sources) =>
    [...Map.groupBy(sources.filter(isProduct), ({ path }) => path.replace(/\/[^/]+$/, ''))]
      .filter(([, files]) => files.length > maxFilesInFolder)
      .map(([folder, files]) => `${folder} has ${files.length} source files`),
};

const driver = importRule('only stores and postgres/ import the database driver', ({ from, specifier }) => {
  if (!isServerProduct(from) || !/^(kysely|pg)(\/|$)/.test(specifier)) return false;
  return !from.path.endsWith('.store.ts') && areaOf(from.path) !== 'postgres';
});

const http = importRule('only routes, http/ and app.ts import Fastify', ({ from, specifier }) => {
  if (!isServerProduct(from) || !/^@?fastify(\/|$)/.test(specifier)) return false;
  const isApp = from.path === 'packages/server/src/app.ts';
  return !isApp && !from.path.endsWith('.routes.ts') && areaOf(from.path) !== 'http';
});

const stores = importRule('a store imports no use case and no routes', ({ from, target }, sources) => {
  if (target === undefined || !from.path.endsWith('.store.ts')) return false;
  const imported = sources.find(({ path }) => path === target);
  return target.endsWith('.routes.ts') || (imported !== undefined && isUseCase(imported));
});

const channels = importRule(
  'a channel imports no store',
  ({ from, target }) => from.path.endsWith('.channel.ts') && target?.endsWith('.store.ts') === true,
);

const testsStayOut = importRule(
  'the product imports nothing of its tests',
  ({ from, target }) => isProduct(from) && target !== undefined && isTest(target),
);

const noCycles: Rule = {
  says: 'nothing imports itself in a circle, types included',
  faults: findCycles,
};

const shortFiles: Rule = {
  says: `no file is longer than ${maxFileLines} lines`,
  faults: (sources) =>
    sources
      .filter(({ path, lines }) => lines > maxFileLines && !path.endsWith('.gen.ts'))
      .map(({ path, lines }) => `${path} has ${lines} lines`),
};

const shortFunctions: Rule = {
  says: `no function is longer than ${maxFunctionLines} lines`,
  faults: (sources) =>
    sources
      .filter((source) => isProduct(source) && source.longestFunction > maxFunctionLines)
      .map(({ path, longestFunction }) => `${path} has a function of ${longestFunction} lines`),
};

const environment = habitRule('the environment is read in main.ts only', 'environment', ({ path }) => {
  const isMain = path === 'packages/server/src/main.ts' || path === 'packages/cli/src/main.ts';
  return !path.startsWith('packages/') || isMain || isTest(path);
});

const clock = habitRule('time is given, not taken', 'system clock', ({ path }) => {
  return !path.startsWith('packages/') || isTest(path) || clockSources.includes(path);
});

const barrels = habitRule('only an index re-exports', 're-export', ({ path }) => path.endsWith('/index.ts'));

const defaults = habitRule('no default exports but in configurations', 'default export', ({ path }) => {
  return /(^|\/)[a-z-]+\.config\.ts$/.test(path);
});

const noAny = habitRule('nothing is any', 'any', () => false);

export const rules: readonly Rule[] = [
  packages,
  entrances,
  outside,
  existing,
  folders,
  smallFolders,
  driver,
  http,
  stores,
  channels,
  testsStayOut,
  noCycles,
  shortFiles,
  shortFunctions,
  environment,
  clock,
  barrels,
  defaults,
  noAny,
];

/** Each circle once, from its alphabetically first file. */
function findCycles(sources: readonly SourceFile[]): string[] {
  const targets = new Map(
    sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])] as const),
  );
  const cycles = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      cycles.add(circle(trail.slice(start)));
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return [...cycles];
}

function circle(paths: readonly string[]): string {
  const first = paths.indexOf(paths.toSorted()[0] ?? '');
  const turned = [...paths.slice(first), ...paths.slice(0, first)];
  return [...turned, turned[0]].join(' → ');
}
