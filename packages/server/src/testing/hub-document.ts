import { hubCallbacks, hubMethods, hubName } from '@tocsin/contract';
import type { TSchema } from 'typebox';
import { version } from '../common/version.ts';

const description = `What the hub pushes and what clients call on it, in either family of SignalR: ASP.NET Core
(\`/${hubName}\`, also below \`/signalr\`) and classic ASP.NET SignalR 2 (\`/signalr\`, hub \`${hubName}\`).

Payloads are the arguments and the answers, without the frames that the protocols put around them; each callback has
exactly one argument. docs/hub.md has samples.`;

type Schemas = Record<string, TSchema>;

/** The AsyncAPI document of the hub. */
export function hubDocument(): object {
  const schemas: Schemas = {};
  const messages: Record<string, object> = {};
  const operations: Record<string, object> = {};
  for (const [name, { argument, description: summary }] of Object.entries(hubCallbacks)) {
    messages[name] = message(name, summary, refer(argument, schemas));
    operations[name] = operation('send', name, summary);
  }
  for (const [name, { argument, answer, description: summary }] of Object.entries(hubMethods)) {
    const answerName = `${name}Answer`;
    messages[name] = message(name, summary, argument ? refer(argument, schemas) : { type: 'null' });
    messages[answerName] = message(answerName, `What \`${name}\` answers.`, refer(answer, schemas));
    operations[name] = { ...operation('receive', name, summary), reply: replyOf(answerName) };
  }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Tocsin hub', version, description, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    channels: { [hubName]: channelOf(Object.keys(messages)) },
    operations,
    components: { schemas, messages, securitySchemes },
  };
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of `POST /api/v1/auth/login`, or an API key, that may read alarms.',
  },
  query: {
    type: 'httpApiKey',
    name: 'access_token',
    in: 'query',
    description: 'The same, for browsers, which cannot set headers on WebSockets and event streams.',
  },
};

const channelRef = { $ref: `#/channels/${hubName}` };
const messageRef = (name: string) => ({ $ref: `#/channels/${hubName}/messages/${name}` });

function channelOf(names: readonly string[]): object {
  const entries = names.map((name) => [name, { $ref: `#/components/messages/${name}` }]);
  return { address: `/${hubName}`, title: 'The alarm hub', messages: Object.fromEntries(entries) };
}

function message(name: string, summary: string, payload: object): object {
  return { name, summary, payload };
}

function operation(action: 'send' | 'receive', name: string, summary: string): object {
  const security = Object.keys(securitySchemes).map((scheme) => ({
    $ref: `#/components/securitySchemes/${scheme}`,
  }));
  return { action, channel: channelRef, summary, security, messages: [messageRef(name)] };
}

function replyOf(name: string): object {
  return { channel: channelRef, messages: [messageRef(name)] };
}

/** A schema with a title is written once, under that name. */
function refer(schema: TSchema, schemas: Schemas): object {
  const plain = JSON.parse(JSON.stringify(schema)) as TSchema & { title?: string };
  return hoist(plain, schemas) as object;
}

function hoist(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, hoist(member, schemas)]);
  const copy = Object.fromEntries(entries) as TSchema & { title?: string };
  if (typeof copy.title !== 'string') return copy;
  schemas[copy.title] = copy;
  return { $ref: `#/components/schemas/${copy.title}` };
}
