import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { speechSettingsOf } from './speech-settings.ts';

const read = (more: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: 'postgres://tocsin@localhost/tocsin', ...more });

function programsFile(...programs: object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'programs.json');
  writeFileSync(file, JSON.stringify(programs));
  return file;
}

const piper = {
  name: 'piper',
  argv: ['/opt/piper/piper', '--model', '{voice}', '--output_file', '{output}'],
  voices: { fr: '/opt/piper/fr.onnx' },
};

test('by default Pico speaks where it is installed, espeak-ng elsewhere', () => {
  const { preferences, directory } = speechSettingsOf(read());
  expect(preferences.map(({ profile }) => profile.name)).toEqual(['pico', 'espeak-ng']);
  expect(directory).toBe('.tocsin/speech');
});

test('a program of the operator can be preferred for one language', () => {
  const settings = speechSettingsOf(
    read({
      SPEECH_PROFILES: 'fr:piper, espeak-ng',
      SPEECH_PROGRAMS_FILE: programsFile(piper),
      SPEECH_DIRECTORY: '/var/cache/tocsin',
      SPEECH_CACHE_MEGABYTES: '50',
    }),
  );
  expect(settings).toMatchObject({
    preferences: [
      { profile: piper, language: 'fr' },
      { profile: { name: 'espeak-ng' }, language: undefined },
    ],
    directory: '/var/cache/tocsin',
    maxCacheBytes: 50_000_000,
  });
});

test('a program without a voice is refused, and the message says what to do', () => {
  expect(() => read({ SPEECH_PROFILES: 'piper' })).toThrow(
    'SPEECH_PROFILES names piper, which has no voice for any language: add it to SPEECH_PROGRAMS_FILE',
  );
  const withFile = { SPEECH_PROFILES: 'de:piper', SPEECH_PROGRAMS_FILE: programsFile(piper) };
  expect(() => read(withFile)).toThrow('no voice for de');
});

test('an unknown program and a list of another form are refused', () => {
  expect(() => read({ SPEECH_PROFILES: 'siri' })).toThrow('names siri, which is not in SPEECH_PROGRAMS_FILE');
  expect(() => read({ SPEECH_PROFILES: 'rm -rf' })).toThrow('must be names of programs');
  const shell = programsFile({ ...piper, argv: 'piper | sox' });
  expect(() => read({ SPEECH_PROGRAMS_FILE: shell })).toThrow('must be a JSON list');
});
