import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import type { SpeechPreference, SpeechSettings } from '../channels/speech/speech.ts';
import { SpeechProfile, shippedProfiles } from '../channels/speech/speech-profiles.ts';

/** The settings of spoken prompts. */
export const speechSettings = {
  speechProfiles: Type.Array(Type.String({ pattern: '^([a-z]{2,3}:)?[a-z0-9][a-z0-9-]{0,31}$' }), {
    default: ['pico', 'espeak-ng'],
    minItems: 1,
    mustBe: 'names of programs separated by commas, such as fr:piper,pico,espeak-ng',
    description:
      'Programs that speak, the preferred one first, comma-separated; `fr:piper` is for one language only ([voice](voice.md)).',
  }),
  speechPrograms: Type.Array(SpeechProfile, {
    default: [],
    file: 'only',
    mustBe:
      'a JSON list of {"name": "piper", "argv": ["/opt/piper/piper", "--model", "{voice}", …], "voices": {"fr": "…"}}, with textAs as an option',
    description:
      'File with a JSON list of `{name, argv, voices, textAs?}`: programs of your own that speak, or replace a known one.',
  }),
  speechDirectory: Type.Optional(
    Type.String({
      minLength: 1,
      mustBe: 'the path of a folder',
      description: 'Folder of spoken prompts; by default `speech` in `STATE_FOLDER`.',
    }),
  ),
  speechCacheMegabytes: Type.Integer({
    minimum: 10,
    maximum: 100_000,
    default: 200,
    description: 'Size to which spoken prompts are kept for their next use, in megabytes.',
  }),
};

const SpeechConfig = Type.Object(speechSettings);
type SpeechConfig = Static<typeof SpeechConfig>;

function preferencesOf({ speechProfiles, speechPrograms }: SpeechConfig): (SpeechPreference | string)[] {
  const known = [...speechPrograms, ...shippedProfiles];
  return speechProfiles.map((item) => {
    const [name = '', language] = item.split(':').toReversed();
    const profile = known.find((one) => one.name === name);
    return profile === undefined ? name : { profile, language };
  });
}

/** Programs that nobody knows, or that have no voice for the language they are meant for. */
export function speechFaults(config: SpeechConfig): string[] {
  return preferencesOf(config).flatMap((preference) => {
    if (typeof preference === 'string')
      return [`SPEECH_PROFILES names ${preference}, which is not in SPEECH_PROGRAMS_FILE`];
    const { profile, language } = preference;
    const voices = Object.keys(profile.voices);
    if (language === undefined ? voices.length > 0 : voices.includes(language)) return [];
    const wanted = language === undefined ? 'any language' : language;
    return [
      `SPEECH_PROFILES names ${profile.name}, which has no voice for ${wanted}: add it to SPEECH_PROGRAMS_FILE`,
    ];
  });
}

/** The settings of speech, from those of the server. */
export function speechSettingsOf(config: SpeechConfig & { readonly stateFolder: string }): SpeechSettings {
  return {
    preferences: preferencesOf(config).filter((preference) => typeof preference !== 'string'),
    directory: config.speechDirectory ?? join(config.stateFolder, 'speech'),
    maxCacheBytes: config.speechCacheMegabytes * 1_000_000,
  };
}
