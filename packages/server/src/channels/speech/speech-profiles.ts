import { type Static, Type } from 'typebox';

/** A program that speaks. `{language}`, `{voice}` and `{output}` in `argv` are replaced. */
export const SpeechProfile = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    /** The program and its arguments. Without `{output}` the program writes a WAV to its standard output. */
    argv: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 32 }),
    /** By default the standard input, because others on the machine can read the arguments of a program. */
    textAs: Type.Optional(Type.Enum(['stdin', 'argument'])),
    /** The voice for each language. The program is not used for other languages. */
    voices: Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}$' }),
      Type.String({ minLength: 1, maxLength: 500 }),
    ),
  },
  { additionalProperties: false },
);
export type SpeechProfile = Static<typeof SpeechProfile>;

/** Writes to a pipe, so the length in the header of its output is too large. */
export const espeak: SpeechProfile = {
  name: 'espeak-ng',
  argv: ['espeak-ng', '-v', '{voice}', '-s', '140', '--stdin', '--stdout'],
  voices: { en: 'en-gb', fr: 'fr-fr', de: 'de', es: 'es' },
};

/** Takes the text only as an argument, and the name of the output must end with `.wav`. */
const pico: SpeechProfile = {
  name: 'pico',
  argv: ['pico2wave', '-l', '{voice}', '-w', '{output}', '--'],
  textAs: 'argument',
  voices: { en: 'en-GB', fr: 'fr-FR', de: 'de-DE', es: 'es-ES' },
};

/** Has no voices of its own: the operator names the models, by their full path. */
const piper: SpeechProfile = {
  name: 'piper',
  argv: ['piper', '--model', '{voice}', '--output_file', '{output}'],
  voices: {},
};

export const shippedProfiles: readonly SpeechProfile[] = [pico, espeak, piper];
