import type { Habit, SourceFile } from './import-graph.ts';

/** A rule of the house: what it says, and each place where it is broken. */
export type Rule = { readonly says: string; faults(sources: readonly SourceFile[]): string[] };

/** What each package may import of ours. */
const packageImports: Record<string, readonly string[]> = {
  domain: [],
  contract: [],
  signalr: [],
  client: ['contract'],
  cli: ['client', 'contract'],
  console: ['client', 'contract', 'domain'],
  server: ['contract', 'domain', 'signalr'],
};

/** What packages that must run anywhere may import of others. */
const outsideImports: Record<string, readonly string[]> = {
  domain: ['temporal-polyfill'],
  contract: ['typebox'],
};

/** A folder of the server imports only from folders before it. */
const serverFolders = [
  'postgres',
  'audit',
  'http',
  'identity',
  'plant',
  'people',
  'call-groups',
  'duties',
  'journal',
  'alarms',
  'history',
  'calls',
  'channels',
  'dispatch',
  'commands',
  'hub',
];

/** Files at the root of the server that every folder may import. */
const commonFiles = [
  'address-range.ts',
  'problem.ts',
  'recently-used.ts',
  'runtime.ts',
  'secret-box.ts',
  'version.ts',
];

/** Who gives the clock to others. */
const clockKeepers = ['packages/server/src/serve.ts'];

const longestFile = 400;

const isTest = (path: string) => /\.(test|fixture)\.tsx?$|\/testing\/|\.property\.test\.ts$/.test(path);
const isProduct = ({ path }: SourceFile) => path.startsWith('packages/') && !isTest(path);
const packageOf = (path: string) => /^packages\/([^/]+)\//.exec(path)?.[1];
const folderOf = (path: string) => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
const isServerProduct = (source: SourceFile) => isProduct(source) && packageOf(source.path) === 'server';

/** `packages/server/src/alarms/raise-alarm.ts` → `raiseAlarm`. */
const functionOf = (path: string) =>
  (path.split('/').at(-1) ?? '')
    .replace(/\.tsx?$/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A use case is a file without a dot in its name that exports a function of that name. */
function isUseCase({ path, exports }: SourceFile): boolean {
  const folder = folderOf(path);
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
  ({ target }, sources) => target !== undefined && !sources.some(({ path }) => path === target),
);

const folders: Rule = importRule(
  'a folder of the server imports only from folders before it, and of the root only what is common',
  ({ from, target }) => {
    const own = folderOf(from.path);
    if (!isServerProduct(from) || own === undefined || target === undefined) return false;
    if (packageOf(target) !== 'server') return false;
    const other = folderOf(target);
    if (other === undefined) return !commonFiles.some((file) => target === `packages/server/src/${file}`);
    if (!serverFolders.includes(own) || !serverFolders.includes(other)) return true;
    return serverFolders.indexOf(other) > serverFolders.indexOf(own);
  },
);

const driver = importRule('only stores and postgres/ import the database driver', ({ from, specifier }) => {
  if (!isServerProduct(from) || !/^(kysely|pg)(\/|$)/.test(specifier)) return false;
  return !from.path.endsWith('.store.ts') && folderOf(from.path) !== 'postgres';
});

const http = importRule('only routes, http/ and app.ts import Fastify', ({ from, specifier }) => {
  if (!isServerProduct(from) || !/^@?fastify(\/|$)/.test(specifier)) return false;
  const isApp = from.path === 'packages/server/src/app.ts';
  return !isApp && !from.path.endsWith('.routes.ts') && folderOf(from.path) !== 'http';
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
  says: `no file is longer than ${longestFile} lines`,
  faults: (sources) =>
    sources
      .filter(({ path, lines }) => lines > longestFile && !path.endsWith('.gen.ts'))
      .map(({ path, lines }) => `${path} has ${lines} lines`),
};

const environment = habitRule('the environment is read in main.ts only', 'environment', ({ path }) => {
  return !path.startsWith('packages/') || path === 'packages/server/src/main.ts' || isTest(path);
});

const clock = habitRule('time is given, not taken', 'system clock', ({ path }) => {
  return !path.startsWith('packages/') || isTest(path) || clockKeepers.includes(path);
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
  driver,
  http,
  stores,
  channels,
  testsStayOut,
  noCycles,
  shortFiles,
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
