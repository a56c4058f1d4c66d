/// <reference types="vite/client" />

/** The documents of the project, which the build puts into files of their own. */
const files = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });

const nameOf = (path: string) => path.replace(/^.*\/(.*)\.md$/, '$1');

/** For people who operate or use the server first; documents for its developers are left out. */
const order = [
  'operations',
  'configuration',
  'command-line',
  'interface',
  'dispatch',
  'reachability',
  'phone',
  'voice',
  'sip',
  'sms',
  'mail',
  'push-and-chat',
  'provider',
  'templates',
  'commands',
  'hub',
  'sign-in',
  'outside-log-ins',
  'desks',
  'security',
  'hardening',
  'key-compromise',
  'scale',
  'glossary',
];

const loaders = new Map(Object.entries(files).map(([path, load]) => [nameOf(path), load]));

/** The names of all documents that are shown, in the order of the contents. */
export const documentNames: readonly string[] = order.filter((name) => loaders.has(name));

/** The text of a document; undefined if there is none of that name. */
export async function loadDocument(name: string): Promise<string | undefined> {
  return loaders.get(name)?.();
}
