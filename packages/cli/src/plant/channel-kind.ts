import { type Channel, ChannelBody } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { defineKind, present, type SecretFile } from './kind.ts';

const { name, kind, medium, priority, enabled } = ChannelBody.properties;

const ChannelEntry = Type.Object(
  {
    name,
    kind,
    medium,
    priority,
    enabled,
    settings: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown())),
  },
  { additionalProperties: false },
);
type ChannelEntry = Static<typeof ChannelEntry>;
type Settings = NonNullable<ChannelEntry['settings']>;

/** Settings are compared one by one; secrets cannot be compared, because the server never shows them. */
export const channelKind = defineKind<Channel, ChannelEntry>({
  section: 'channels',
  path: '/channels',
  uses: [],
  schema: ChannelEntry,
  keyOf: (entry) => entry.name,
  references: () => [],
  toEntry: ({ name, kind, medium, priority, enabled, settings }) => ({
    name,
    kind,
    medium,
    priority,
    enabled,
    settings,
  }),
  normalize: ({ settings, ...entry }) => present({ ...entry, settings: settings && plainSettings(settings) }),
  toBody: ({ settings = {}, ...entry }, { secret }) => {
    const secrets = secretsIn(settings).map(([name, file]) => [name, secret(file)] as const);
    return present({ ...entry, settings: { ...plainSettings(settings), ...Object.fromEntries(secrets) } });
  },
  secretFiles: ({ settings = {} }): SecretFile[] =>
    secretsIn(settings).map(([name, file]) => ({ file, place: ['settings', name, 'secretFile'] })),
  missingSecrets: ({ settings = {} }, { secretsSet }) =>
    secretsIn(settings)
      .map(([name]) => name)
      .filter((name) => !secretsSet.includes(name)),
});

/** `{ secretFile: /etc/tocsin/mail-password }`. */
const fileIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || !('secretFile' in value)) return undefined;
  return typeof value.secretFile === 'string' ? value.secretFile : undefined;
};

function secretsIn(settings: Settings): (readonly [string, string])[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const file = fileIn(value);
    return file === undefined ? [] : [[name, file] as const];
  });
}

function plainSettings(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => fileIn(value) === undefined));
}
