import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dialogueLanguages } from '@tocsin/domain';
import { describe, expect, test } from 'vitest';
import { beeps } from './beeps.ts';
import { espeak, shippedProfiles } from './speech-profiles.ts';
import { correlation } from './testing/correlation.fixture.ts';
import { audio, isRunning, newFolder, scriptProfile, speakingPlant, text } from './testing/speech.fixture.ts';
import { bytesPerSecond, findWavFault, isAudible, playableSamples } from './wav.ts';

const words = {
  en: 'Pump 3 has failed.',
  fr: 'La pompe 3 est en panne.',
  de: 'Die Pumpe 3 ist ausgefallen.',
  es: 'La bomba 3 ha fallado.',
};
const missing = { ...espeak, name: 'missing', argv: ['tocsin-has-no-such-program', '{voice}'] };

describe('speaking', () => {
  test('each language is spoken by its own voice, in the format of a telephone line', async () => {
    const { say } = speakingPlant();
    const rendered = await Promise.all(dialogueLanguages.map((one) => say([text(words[one])], one)));
    for (const { file, seconds } of rendered) {
      expect(await findWavFault(file)).toBeUndefined();
      expect(seconds).toBeGreaterThan(1);
      const samples = playableSamples(await readFile(file));
      expect((samples?.length ?? 0) / bytesPerSecond).toBeCloseTo(seconds + 2, 2);
    }
    const [english, french] = await Promise.all([say([text(words.en)], 'en'), say([text(words.en)], 'fr')]);
    expect(await correlation(english.file, french.file)).toBeLessThan(0.5);
  });

  test('a person whose language nobody speaks is spoken to in English', async () => {
    const { say } = speakingPlant();
    const [english, unknown] = [await say([text(words.en)], 'en-GB'), await say([text(words.en)], 'tlh')];
    expect(unknown.file).toBe(english.file);
  });

  test('prompts follow each other in one file', async () => {
    const { say } = speakingPlant();
    const [first, second] = [
      await say([text('Pump 3 has failed.')]),
      await say([text('To take the alarm, press 1.')]),
    ];
    const both = await say([text('Pump 3 has failed.'), text(''), text('To take the alarm, press 1.')]);
    expect(both.seconds).toBeCloseTo(first.seconds + second.seconds, 1);
    expect(await correlation(first.file, both.file)).toBeGreaterThan(0.9);
    expect(await correlation(second.file, both.file)).toBeGreaterThan(0.9);
  });

  test('the shipped programs have a voice for every language of calls, except Piper, which has none', () => {
    for (const { name, voices } of shippedProfiles) {
      expect(Object.keys(voices).toSorted(), name).toEqual(
        name === 'piper' ? [] : [...dialogueLanguages].toSorted(),
      );
    }
  });

  test('a text is never an argument of a program, except where the program knows no other way', () => {
    const asArgument = shippedProfiles.filter(({ textAs }) => textAs === 'argument');
    expect(asArgument.map(({ name, argv }) => [name, argv.at(-1)])).toEqual([['pico', '--']]);
  });

  test('the text reaches a program, wherever it takes it, and is no command and no option there', async () => {
    const folder = newFolder();
    const speakIt = 'espeak-ng -v en --stdin --stdout < "$3" > "$2"';
    const byInput = scriptProfile(
      'by-input',
      `cat > ${folder}/input; set -- "$1" "$2" ${folder}/input; ${speakIt}`,
    );
    const byArgument = scriptProfile(
      'by-argument',
      `shift; printf '%s|' "$@" > ${folder}/arguments; printf x > ${folder}/x; set -- "" "$1" ${folder}/x; ${speakIt}`,
      { textAs: 'argument' },
    );
    await speakingPlant({ profiles: [byInput] }).say([text('-h $(id) `id` "\'')]);
    expect(readFileSync(join(folder, 'input'), 'utf8')).toBe('-h $(id) `id` "\'\n');
    await speakingPlant({ profiles: [byArgument] }).say([text('-h $(id) `id` "\'')]);
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toMatch(/\.wav\| -h \$\(id\) `id` "'\|$/);
  });

  test('a program gets no secret of the server in its environment', async () => {
    const folder = newFolder();
    const spy = scriptProfile('spy', `env > ${folder}/environment; espeak-ng --stdin -w "$2"`);
    process.env['TOCSIN_TEST_SECRET'] = 'hunter2';
    await speakingPlant({ profiles: [spy] }).say([text('Pump 3')]);
    delete process.env['TOCSIN_TEST_SECRET'];
    const seen = readFileSync(join(folder, 'environment'), 'utf8');
    expect(seen).toContain('PATH=');
    expect(seen).not.toContain('hunter2');
  });

  test('the preferred program of a language speaks it, and others speak the rest', async () => {
    const folder = newFolder();
    const voices = { en: 'x', fr: 'y' };
    const noted = (name: string) =>
      scriptProfile(name, `echo ${name} $1 >> ${folder}/calls; espeak-ng --stdin -w "$2"`, { voices });
    const preferences = [{ profile: noted('one'), language: 'fr' }, { profile: noted('two') }];
    const { say } = speakingPlant({ preferences });
    await say([text('un')], 'fr');
    await say([text('one')], 'en');
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('one y\ntwo x\n');
  });
});

describe('programs that fail', () => {
  test('a program that is not installed is replaced by espeak-ng, and not asked again for a minute', async () => {
    let now = 1_000_000;
    const { say, log } = speakingPlant({ profiles: [missing], nowMs: () => now });
    const expected = await speakingPlant().say([text('Pump 3 has failed.')]);
    const spoken = await say([text('Pump 3 has failed.')]);
    expect(await correlation(expected.file, spoken.file)).toBeGreaterThan(0.99);
    await say([text('The boiler is too hot.')]);
    expect(log.filter((line) => line.includes('"missing"'))).toHaveLength(1);
    now += 61_000;
    await say([text('The gate is open.')]);
    expect(log.filter((line) => line.includes('"missing"'))).toHaveLength(2);
  });

  test('a program that hangs is killed with its children after five seconds, and then passed over', async () => {
    const folder = newFolder();
    const hangs = scriptProfile('hangs', `sleep 61 & echo $! > ${folder}/child; wait`);
    const { say } = speakingPlant({ profiles: [hangs] });
    const began = performance.now();
    expect(await findWavFault((await say([text('Pump 3 has failed.')])).file)).toBeUndefined();
    expect(performance.now() - began).toBeGreaterThan(4_900);
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    await expect.poll(() => isRunning(child)).toBe(false);
    const second = performance.now();
    await say([text('The boiler is too hot.')]);
    expect(performance.now() - second).toBeLessThan(3_000);
  });

  test.for([
    ['an error', 'exit 1'],
    ['no file', 'true'],
    ['an empty file', ': > "$2"'],
    ['junk', 'head -c 50000 /dev/urandom > "$2"'],
    ['a header without samples', 'sox -n -r 8000 -c 1 -b 16 "$2" trim 0 0'],
    ['silence', 'sox -n -r 8000 -c 1 -b 16 "$2" trim 0 3'],
    ['endless output', 'cat /dev/zero'],
  ])('%s instead of speech is replaced by the next program', async ([, script = '']) => {
    const { say, log } = speakingPlant({ profiles: [scriptProfile('odd', script)] });
    const expected = await speakingPlant().say([text('Pump 3 has failed.')]);
    const { file } = await say([text('Pump 3 has failed.')]);
    expect(await correlation(expected.file, file)).toBeGreaterThan(0.99);
    expect(log.join()).toContain('"program":"odd"');
  });

  test('without any program a person hears beeps, and the check says why', async () => {
    const { speech, say } = speakingPlant({ profiles: [{ ...missing, name: 'espeak-ng' }] });
    const { file, seconds } = await say([text('Pump 3 has failed.'), text('To take the alarm, press 1.')]);
    expect(await findWavFault(file)).toBeUndefined();
    const samples = playableSamples(await readFile(file)) ?? Buffer.alloc(0);
    expect(isAudible(samples, 1)).toBe(true);
    expect(seconds).toBeCloseTo(beeps().length / bytesPerSecond + 0.3, 3);
    expect(await speech.check()).toEqual({
      works: false,
      reason: expect.stringMatching(/^nothing can be spoken: espeak-ng: .*ENOENT/),
    });
  });

  test('a caller who stops waiting gets beeps at once', async () => {
    const { speech } = speakingPlant({ profiles: [scriptProfile('hanging', 'sleep 60')] });
    const began = performance.now();
    const { file, seconds } = await speech.render([text('Pump 3')], 'en', {
      tailSeconds: 1,
      readMedia: async () => undefined,
      signal: AbortSignal.timeout(100),
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(seconds).toBeGreaterThan(3);
    expect(await findWavFault(file)).toBeUndefined();
  });

  test('the end of the server ends the programs', async () => {
    const folder = newFolder();
    const hangs = scriptProfile('hangs', `echo $$ > ${folder}/pid; sleep 60`);
    const { speech, say } = speakingPlant({ profiles: [hangs] });
    const saying = say([text('Pump 3')]);
    await expect.poll(() => readFileSync(join(folder, 'pid'), 'utf8')).not.toBe('');
    await speech.close();
    const { seconds } = await saying;
    expect(seconds).toBeGreaterThan(3);
    await expect.poll(() => isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
  });

  test('the text is in no log', async () => {
    const { say, log } = speakingPlant({ profiles: [missing, scriptProfile('odd', 'cat >&2; exit 1')] });
    await say([text('secret overflow'), audio('no.wav', 'secret gate')]);
    expect(log.length).toBeGreaterThan(1);
    expect(log.join()).not.toContain('secret');
  });

  test('the check speaks', async () => {
    expect(await speakingPlant().speech.check()).toEqual({ works: true });
  });
});

describe('the folder', () => {
  test('calls that start together let a program speak once', async () => {
    const folder = newFolder();
    const counted = scriptProfile('counted', `echo x >> ${folder}/count; espeak-ng --stdin -w "$2"`);
    const { say } = speakingPlant({ profiles: [counted] });
    const all = await Promise.all(Array.from({ length: 20 }, () => say([text('Pump 3 has failed.')])));
    expect(new Set(all.map(({ file }) => file)).size).toBe(1);
    await say([text('Pump 3 has failed.')]);
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('x\n');
  });

  test('servers that share a folder never read a part of a file', async () => {
    const folder = newFolder();
    const plants = Array.from({ length: 4 }, () => speakingPlant({ folder }));
    const spoken = await Promise.all(
      plants.flatMap(({ say }) => [1, 2, 3].map((n) => say([text(`Pump ${n}`)]))),
    );
    for (const { file } of spoken) expect(await findWavFault(file)).toBeUndefined();
    expect((await readdir(folder)).filter((name) => !/^[0-9a-f]{64}\.wav$/.test(name))).toEqual([]);
  });

  test('old files are deleted when there are too many, those in use are kept', async () => {
    let now = Date.parse('2026-03-01T06:00:00Z');
    const { say, folder } = speakingPlant({ maxCacheBytes: 300_000, nowMs: () => now });
    const old = await Promise.all(
      [1, 2, 3, 4].map((n) => say([text(`Pump ${n} in the north hall has failed.`)])),
    );
    for (const { file } of old) expect(await findWavFault(file)).toBeUndefined();
    now += 3_600_000;
    const fresh = await say([text('The boiler is too hot.')]);
    expect(await findWavFault(fresh.file)).toBeUndefined();
    const sizes = (await readdir(folder)).map((name) => statSync(join(folder, name)).blocks * 512);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300_000);
    // They are spoken again when they are needed.
    expect((await say([text('Pump 1 in the north hall has failed.')])).file).toBe(old[0]?.file);
  });

  test('the silence at the end takes no space', async () => {
    const { speech } = speakingPlant();
    const { file } = await speech.render([text('Pump 3')], 'en', {
      tailSeconds: 600,
      readMedia: async () => undefined,
      signal: AbortSignal.timeout(20_000),
    });
    expect(statSync(file).size).toBeGreaterThan(600 * bytesPerSecond);
    expect(statSync(file).blocks * 512).toBeLessThan(200_000);
  });

  test('a file has its full path, also in a folder that is named from here', async () => {
    const folder = newFolder();
    const { file } = await speakingPlant({ folder: relative(process.cwd(), folder) }).say([text('Pump 3')]);
    expect(dirname(file)).toBe(folder);
  });

  test('a damaged file is made again', async () => {
    const { say, folder } = speakingPlant();
    const { file } = await say([text('Pump 3 has failed.')]);
    for (const name of await readdir(folder)) writeFileSync(join(folder, name), 'junk');
    expect((await say([text('Pump 3 has failed.')])).file).toBe(file);
    expect(await findWavFault(file)).toBeUndefined();
  });

  test('a folder that cannot be written loses no call', async () => {
    const blocked = join(newFolder(), 'file');
    writeFileSync(blocked, '');
    const { say, log } = speakingPlant({ folder: join(blocked, 'below') });
    const { file, seconds } = await say([text('Pump 3 has failed.')]);
    expect(await findWavFault(file)).toBeUndefined();
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).not.toBeCloseTo(beeps().length / bytesPerSecond + 0.3, 2);
    expect(log.join()).toContain('the folder for speech cannot be written');
  });
});
