import { Medium, mediumKinds, type User, UserBody } from '@tocsin/contract';
import { type Static, Type } from 'typebox';
import { defineKind, nameFor, personKey, present, referenceTo } from './kind.ts';

const { username, name, role, enabled, language, identities, breakGlass } = UserBody.properties;
const closed = { additionalProperties: false };

/** The media that a plant file has. Push addresses belong to devices, and their owners add and remove them. */
const fileMediumKinds = mediumKinds.filter((kind) => kind !== 'Push');
const isPush = ({ kind }: { kind: string }) => kind === 'Push';

const MediumEntry = Type.Object(
  {
    kind: Type.Enum(fileMediumKinds),
    address: Medium.properties.address,
    enabled: Medium.properties.enabled,
  },
  closed,
);
type MediumEntry = Static<typeof MediumEntry>;

/** The word for all stations of the tenant, also those that are added later. */
const allStations = 'all';

const PersonEntry = Type.Object(
  {
    username,
    name,
    role,
    stations: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 })),
    enabled,
    language,
    media: Type.Optional(Type.Array(MediumEntry, { maxItems: 32 })),
    identities,
    breakGlass,
    passwordFile: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);
type PersonEntry = Static<typeof PersonEntry>;

export const personKind = defineKind<User, PersonEntry>({
  section: 'people',
  path: '/users',
  uses: ['stations'],
  schema: PersonEntry,
  keyOf: (entry) => entry.username,
  references: ({ stations = [] }) =>
    stations
      .filter((station) => station !== allStations)
      .flatMap((station, index) => referenceTo('stations', station, 'stations', index)),
  toEntry: (user, names) => ({
    username: user.username,
    name: user.name,
    role: user.role,
    stations:
      user.stationIds.length === 0
        ? [allStations]
        : user.stationIds.map((id) => nameFor(names, 'stations', id)),
    enabled: user.enabled,
    language: user.language,
    media: user.media.filter((medium) => !isPush(medium)).map(mediumEntry),
    identities: user.identities ?? [],
    breakGlass: user.breakGlass ?? false,
  }),
  // User names are unique whatever the case, so the case of a name is no difference.
  normalize: ({ username, stations, media, ...entry }) =>
    present({
      ...entry,
      passwordFile: undefined,
      username: personKey(username),
      stations: stations?.toSorted(),
      media: media?.map(normalMedium),
    }),
  toBody: ({ passwordFile, stations, media, ...entry }, { names, item, secret }) =>
    present({
      ...entry,
      username: item?.username ?? entry.username,
      stationIds: stations?.map((station) => (station === allStations ? 0 : names.idOf('stations', station))),
      media: media && withDevices(media, item?.media ?? []),
      password: passwordFile === undefined || item ? undefined : secret(passwordFile),
    }),
  secretFiles: ({ passwordFile }, item) =>
    passwordFile === undefined || item ? [] : [{ file: passwordFile, place: ['passwordFile'] }],
});

function mediumEntry({ kind, address, enabled = true }: User['media'][number]): MediumEntry {
  return { kind: kind as MediumEntry['kind'], address, enabled };
}

/** The server stores telephone numbers without signs between the digits. */
function normalMedium({ kind, address, enabled = true }: MediumEntry): MediumEntry {
  const isNumber = kind === 'Voice' || kind === 'Sms' || kind === 'Pager';
  return { kind, address: isNumber ? address.replaceAll(/[^+0-9]/g, '') : address, enabled };
}

/** The media of the file, with the devices of the person at the places where they were. */
function withDevices(media: readonly MediumEntry[], before: User['media']): (MediumEntry | Medium)[] {
  const all: (MediumEntry | Medium)[] = [...media];
  for (const [index, { kind, address, enabled = true }] of before.entries())
    if (isPush({ kind })) all.splice(Math.min(index, all.length), 0, { kind, address, enabled });
  return all;
}
