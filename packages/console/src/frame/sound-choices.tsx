import type { ConsoleSettings } from '@tocsin/contract';
import { useWords } from '../words/use-words.ts';
import { Segments } from './segments.tsx';

type Own = ConsoleSettings['sound'];
type Props = { readonly sound: Own; readonly onChange: (sound: Own) => void };

const volumes = [40, 80, 100] as const;

/** What the user wants to hear. The sounds themselves are those of the plant. */
export function SoundChoices({ sound, onChange }: Props) {
  const words = useWords().moreSettings;
  const volume = volumes.find((each) => each >= sound.volume) ?? 100;
  return (
    <>
      <Segments
        label={words.sound}
        choices={[
          [0, words.soundOff],
          [1, 'P1'],
          [2, 'P1–P2'],
          [3, 'P1–P3'],
          [4, 'P1–P4'],
        ]}
        value={sound.on ? sound.lowestPriority : 0}
        onChange={(lowest) =>
          onChange({ ...sound, on: lowest > 0, lowestPriority: lowest > 0 ? lowest : sound.lowestPriority })
        }
      />
      <Segments
        label={words.volume}
        choices={volumes.map((each) => [each, words.volumes[each]])}
        value={volume}
        onChange={(each) => onChange({ ...sound, volume: each })}
      />
    </>
  );
}
