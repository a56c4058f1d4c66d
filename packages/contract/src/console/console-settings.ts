import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from '../paging.ts';
import { Id, idOf, Name, optionalIdOf, Uint } from '../primitives.ts';

const viewMembers = {
  name: Name,
  search: Type.String({ maxLength: 2_048, description: "The query of the console's URL." }),
};

/** A saved view of the alarm list. */
export const SavedViewBody = Type.Object(
  {
    ...viewMembers,
    shared: Type.Optional(Type.Boolean({ description: 'Whether everybody of the tenant may use it.' })),
  },
  { title: 'SavedViewBody' },
);
export type SavedViewBody = Static<typeof SavedViewBody>;
export const SavedView = Type.Object(
  { id: Id, ...viewMembers, shared: Type.Boolean(), ownerId: Id, owner: Type.String() },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;
export const SavedViewPage = pageOf(SavedView, 'SavedViewPage');
export const ListSavedViews = Type.Object(
  { offset: PagingQuery.offset, limit: PagingQuery.limit, sort: PagingQuery.sort },
  { title: 'ListSavedViews' },
);

/** Heights of a row of the list, in pixels. */
export const rowHeights = [24, 28, 36] as const;

const soundMembers = {
  on: Type.Boolean({ description: 'Whether this user hears alarms at all.' }),
  volume: Type.Integer({ minimum: 0, maximum: 100 }),
  lowestPriority: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: 'Alarms of a less urgent priority are silent.',
  }),
};
const settingsMembers = {
  theme: Type.Enum(['light', 'dark', 'auto']),
  density: Type.Enum([...rowHeights], { description: 'Height of a row, in pixels.' }),
  steady: Type.Boolean({ description: 'Nothing flashes or moves by itself.' }),
  language: Type.Enum(['en', 'fr', 'de', 'es', 'auto']),
  zone: Type.Enum(['site', 'browser'], { description: 'The time zone of the times that are shown.' }),
  singleKeys: Type.Boolean({ description: 'Whether single keys act, such as `a` for acknowledge.' }),
};

/** How one user wants the console. */
export const ConsoleSettings = Type.Object(
  { ...settingsMembers, sound: Type.Object(soundMembers) },
  { title: 'ConsoleSettings' },
);
export type ConsoleSettings = Static<typeof ConsoleSettings>;
export const ConsoleSettingsBody = Type.Partial(
  Type.Object({ ...settingsMembers, sound: Type.Partial(Type.Object(soundMembers)) }),
  { title: 'ConsoleSettingsBody', description: 'Members that are left out get their defaults.' },
);
export type ConsoleSettingsBody = Static<typeof ConsoleSettingsBody>;

export const defaultConsoleSettings: ConsoleSettings = {
  theme: 'auto',
  density: 28,
  steady: false,
  language: 'auto',
  zone: 'site',
  singleKeys: true,
  sound: { on: true, volume: 80, lowestPriority: 4 },
};

/** Rhythms that the console makes itself. People tell at most four apart. */
export const soundRhythms = ['triple', 'double', 'single', 'chime'] as const;

const ConsoleSound = Type.Object(
  {
    priority: Type.Integer({ minimum: 1, maximum: 4 }),
    sound: Type.Enum(['none', ...soundRhythms, 'file']),
    mediaFileId: Type.Optional(optionalIdOf('media-file', 'For `file`: a recording of the media library.')),
    repeatSeconds: Type.Integer({
      minimum: 0,
      maximum: 600,
      description: 'Until somebody acknowledges or silences; 0 plays it once.',
    }),
  },
  { title: 'ConsoleSound' },
);
export type ConsoleSound = Static<typeof ConsoleSound>;

/** The sounds of the plant, the same at each desk. */
export const ConsoleSounds = Type.Object(
  {
    sounds: Type.Array(ConsoleSound, {
      minItems: 4,
      maxItems: 4,
      description: 'One for each of priorities 1 to 4.',
    }),
    resoundSeconds: Type.Integer({
      minimum: 0,
      maximum: 3_600,
      description: 'A silenced alarm that nobody has acknowledged sounds again after this time; 0: never.',
    }),
  },
  { title: 'ConsoleSounds' },
);
export type ConsoleSounds = Static<typeof ConsoleSounds>;

export const defaultConsoleSounds: ConsoleSounds = {
  sounds: [
    { priority: 1, sound: 'triple', repeatSeconds: 2 },
    { priority: 2, sound: 'double', repeatSeconds: 5 },
    { priority: 3, sound: 'single', repeatSeconds: 15 },
    { priority: 4, sound: 'none', repeatSeconds: 0 },
  ],
  resoundSeconds: 30,
};

/** The record that somebody has silenced the horn of a desk. It has no other effect. */
export const SilenceBody = Type.Object(
  {
    alarmIds: Type.Array(idOf('alarm'), {
      minItems: 1,
      maxItems: 500,
      description: 'The alarms that sounded.',
    }),
    desk: Type.String({ minLength: 1, maxLength: 64, description: "The desk's own name." }),
  },
  { title: 'SilenceBody' },
);
export type SilenceBody = Static<typeof SilenceBody>;
export const Silenced = Type.Object(
  { alarmIds: Type.Array(Uint, { description: 'The alarms that were recorded: those that exist.' }) },
  { title: 'Silenced' },
);
