import { useQuery } from '@tanstack/react-query';
import type { ConsolePriority, ConsoleSound, ConsoleSounds } from '@tocsin/contract';
import { useEffect, useMemo } from 'react';
import { useConsoleSettings } from '../services/console-settings.ts';
import { useServices } from '../services/services.ts';
import { audioContext } from './audio.ts';
import { playRecording, playRhythm } from './horn.ts';
import { firstOwnSound, firstSounds, soundingPriorities } from './sounding.ts';

/** The sounds of the plant; those of a new plant until they are known. */
function usePlantSounds(): ConsoleSounds {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['sounds'],
    queryFn: async () => (await api.get<ConsoleSounds>('/console/sounds')).data,
    staleTime: 300_000,
    refetchInterval: 300_000,
  });
  return data ?? firstSounds;
}

/** The recording of a sound that is a file; null if it cannot be played. */
function useRecording({ sound, mediaFileId = 0 }: Pick<ConsoleSound, 'sound' | 'mediaFileId'>) {
  const { session, basePath } = useServices();
  const { data } = useQuery({
    queryKey: ['recording', mediaFileId],
    queryFn: async () => {
      const authorization = `Bearer ${await session.accessToken()}`;
      const answer = await fetch(`${basePath}/api/v1/mediafiles/${mediaFileId}/content`, {
        headers: { authorization },
      });
      const audio = audioContext();
      return answer.ok && audio ? audio.decodeAudioData(await answer.arrayBuffer()) : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: sound === 'file' && mediaFileId > 0,
  });
  return data ?? null;
}

/** What sounds at this desk, by the settings of the plant and of the user. */
export function useSounds() {
  const { sounds, resoundSeconds } = usePlantSounds();
  const own = useConsoleSettings()?.sound ?? firstOwnSound;
  const priorities = useMemo(
    () => soundingPriorities({ sounds, resoundSeconds }, own),
    [sounds, resoundSeconds, own],
  );
  return { sounds, resoundSeconds, priorities, volume: own.volume / 100 };
}

type Horn = {
  /** The highest priority that waits; undefined for silence. */
  readonly priority: ConsolePriority | undefined;
  /** The time of the newest alarm that waits: a newer one sounds at once. */
  readonly newest: number;
  readonly isArmed: boolean;
  readonly isSilent: () => boolean;
};

const soundless: ConsoleSound = { priority: 4, sound: 'none', repeatSeconds: 0 };

/** Sounds for a priority, again and again if the plant wants it. */
export function useHorn({ priority, newest, isArmed, isSilent }: Horn): void {
  const { sounds, volume } = useSounds();
  const sound = sounds.find((one) => one.priority === priority) ?? soundless;
  const recording = useRecording(sound);
  const { sound: kind, repeatSeconds } = sound;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer alarm sounds at once, as another priority does.
  useEffect(() => {
    if (priority === undefined || !isArmed || kind === 'none') return;
    const play = () => {
      const audio = audioContext();
      if (!audio || isSilent()) return;
      if (recording && kind === 'file') playRecording(audio, recording, volume);
      // A recording that cannot be played must not make an alarm silent.
      else playRhythm(audio, kind === 'file' ? 'triple' : kind, volume);
    };
    play();
    if (repeatSeconds === 0) return;
    const timer = setInterval(play, repeatSeconds * 1_000);
    return () => clearInterval(timer);
  }, [priority, newest, isArmed, kind, repeatSeconds, recording, volume, isSilent]);
}
