import type { Logger } from 'pino';
import type { ToolResult } from './run-tool.ts';
import { type SpeakingPlace, speakText, type Utterance, utteranceKey } from './speak-text.ts';
import type { SpeechPreference } from './speech.ts';
import type { SpeechCache } from './speech-cache.ts';
import { espeak } from './speech-profiles.ts';
import { spokenText } from './spoken-text.ts';

export type Speaker = {
  /** The samples of a text; undefined if no program speaks it. */
  speak(text: string, language: string): Promise<Buffer | undefined>;
  /** Lets every program for English speak, without the cache; the reasons of those that cannot. */
  probe(): Promise<{ readonly speaks: boolean; readonly faults: readonly string[] }>;
};

type SpeakerSettings = {
  readonly preferences: readonly SpeechPreference[];
  readonly cache: SpeechCache;
  readonly place: SpeakingPlace;
  readonly log: Logger;
  readonly nowMs: () => number;
};

/** The machine also carries the calls that go on. */
const maxPrograms = 2;
/** A program that is missing or hangs is not asked again for this time, because a person waits on the phone. */
const restMs = 60_000;

export function createSpeaker(settings: SpeakerSettings): Speaker {
  const { preferences, cache, place, log, nowMs } = settings;
  const restingUntil = new Map<string, number>();
  const underWay = new Map<string, Promise<Buffer | undefined>>();
  const inTurn = limitConcurrency(maxPrograms);

  const run = async (utterance: Utterance): Promise<ToolResult> => {
    const { name } = utterance.profile;
    const result = await inTurn(() => speakText(utterance, place));
    if (result.kind === 'done' || place.signal.aborted) return result;
    log.warn({ program: name, reason: result.reason }, 'a program for speech failed');
    const mustRest = result.isMissing || result.reason.includes('took longer');
    if (mustRest) restingUntil.set(name, nowMs() + restMs);
    return result;
  };

  const speakOnce = async (utterance: Utterance): Promise<Buffer | undefined> => {
    const key = utteranceKey(utterance);
    const known = await cache.read(key);
    if (known !== undefined) return known;
    if ((restingUntil.get(utterance.profile.name) ?? 0) > nowMs()) return undefined;
    const result = await run(utterance);
    if (result.kind === 'failed') return undefined;
    await cache
      .write(key, result.output, 0)
      .catch((error: unknown) => log.error(error, 'speech is not cached'));
    return result.output;
  };

  /** Calls that start at the same time say the same things. */
  const speakShared = (utterance: Utterance): Promise<Buffer | undefined> => {
    const key = utteranceKey(utterance);
    const running = underWay.get(key) ?? speakOnce(utterance).finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };

  return {
    async speak(text, language) {
      const spoken = spokenText(text);
      if (spoken === '') return Buffer.alloc(0);
      for (const utterance of utterancesOf(preferences, spoken, language)) {
        const samples = await speakShared(utterance);
        if (samples !== undefined) return samples;
      }
      return undefined;
    },
    async probe() {
      const faults: string[] = [];
      for (const utterance of utterancesOf(preferences, 'Test 1 2 3', 'en')) {
        const result = await inTurn(() => speakText(utterance, place));
        if (result.kind === 'done') return { speaks: true, faults };
        faults.push(`${utterance.profile.name}: ${result.reason}`);
      }
      return { speaks: false, faults };
    },
  };
}

/** The programs for a language in the order of preference, at last espeak-ng. An unknown language is spoken as English. */
function utterancesOf(preferences: readonly SpeechPreference[], text: string, tag: string): Utterance[] {
  const [language = ''] = tag.toLowerCase().split(/[-_]/, 1);
  const hasEspeak = preferences.some((one) => one.profile.name === espeak.name && one.language === undefined);
  const all = hasEspeak ? preferences : [...preferences, { profile: espeak }];
  const inLanguage = (wanted: string) =>
    all.flatMap(({ profile, language: only }: SpeechPreference) => {
      const voice = profile.voices[wanted];
      const isMeant = voice !== undefined && (only === undefined || only === wanted);
      return isMeant ? [{ profile, language: wanted, voice, text }] : [];
    });
  const found = inLanguage(language);
  return found.length > 0 ? found : inLanguage('en');
}

function limitConcurrency(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
