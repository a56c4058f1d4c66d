import { useQuery } from '@tanstack/react-query';
import type { SpokenAlarm } from '@tocsin/contract';
import { useState } from 'react';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import { type Language, languageNames, languages, useLanguage, useWords } from '../words/use-words.ts';

/** The sentences that people hear who are called about an alarm, in the language of each. */
export function Said({ alarmId }: { readonly alarmId: number }) {
  const words = useWords().guidance;
  const own = useLanguage();
  const [chosen, setChosen] = useState<Language>();
  const language = chosen ?? own;
  const spoken = useSpoken(alarmId, language);
  if (!spoken) return null;
  return (
    <div className="said">
      <h3>
        {words.heard}
        <label className="chip">
          <select
            aria-label={words.heardIn}
            value={language}
            onChange={({ target }) => setChosen(target.value as Language)}
          >
            {languages.map((one) => (
              <option key={one} value={one}>
                {languageNames[one]}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={12} />
        </label>
      </h3>
      <p lang={spoken.language}>“{spoken.sentences.map(ended).join(' ')}”</p>
      {spoken.recording !== '' && <p className="muted">{words.recording(spoken.recording)}</p>}
      {spoken.answerBy === 'none' && <p className="muted">{words.noLine}</p>}
    </div>
  );
}

/** Messages of plants often have no full stop; a voice pauses after each sentence. */
const ended = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

function useSpoken(alarmId: number, language: Language): SpokenAlarm | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['spoken', alarmId, language],
    queryFn: async () => (await api.get<SpokenAlarm>(`/alarms/${alarmId}/spoken`, { language })).data,
    enabled: useMay().has('calls:read'),
    staleTime: 60_000,
    placeholderData: (previous, query) => (query?.queryKey[1] === alarmId ? previous : undefined),
  }).data;
}
