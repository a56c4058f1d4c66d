import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeskAnswer, DeskPeople, DeskPerson } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { useAttempt } from '../security/use-attempt.ts';
import { Wrong } from '../security/wrong.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { PinPad } from './pin-pad.tsx';

const path = '/auth/desk';

/** Asks who acts: a tile and a PIN, or a badge. What was refused is sent again in their name. */
export function QuickSwitch() {
  const all = useWords();
  const words = all.sharedDesk;
  const { api, desk } = useServices();
  const queries = useQueryClient();
  const [person, setPerson] = useState<DeskPerson>();
  const [typed, setTyped] = useState('');
  const { attempt, failure, isBusy } = useAttempt();
  const change = async () => {
    const proof = person ? { userId: person.id, pin: typed } : { badge: typed.trim() };
    setTyped('');
    await attempt(async () => {
      desk.begin((await api.post<DeskAnswer>(`${path}/switch`, proof)).data);
      await queries.invalidateQueries();
    });
  };
  const choose = (chosen: DeskPerson | undefined) => {
    setPerson(chosen);
    setTyped('');
  };
  const title = (
    <>
      <Icon name="id-card" size={20} />
      <span>{person ? words.pinOf(person.name) : words.act}</span>
    </>
  );
  const isReady = typed.trim().length >= 4 && !isBusy;
  return (
    <Dialog title={title} onClose={desk.leave} onSubmit={() => void (isReady && change())}>
      {person ? (
        <PinPad key={person.id} value={typed} onChange={setTyped} />
      ) : (
        <>
          <p>{words.actLead}</p>
          <People onChoose={choose} />
          <BadgeInput value={typed} onChange={setTyped} />
        </>
      )}
      <Wrong text={failure} />
      <div className="dlgact">
        {person && <Button label={words.others} kind="ghost" onClick={() => choose(undefined)} />}
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={desk.leave} />
        <Button label={words.go} kind="primary" type="submit" disabled={!isReady} />
      </div>
    </Dialog>
  );
}

function People({ onChoose }: { readonly onChoose: (person: DeskPerson) => void }) {
  const words = useWords().sharedDesk;
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['desk-people'],
    queryFn: async () => (await api.get<DeskPeople>(`${path}/people`)).data.items,
  });
  if (data?.length === 0) return <p>{words.noPeople}</p>;
  return (
    <div className="people-tiles">
      {data?.map((person) => (
        <Button key={person.id} label={person.name} icon="user" onClick={() => onChoose(person)} />
      ))}
    </div>
  );
}

type InputProps = { readonly value: string; readonly onChange: (text: string) => void };

/** Has the focus at first, so that a reader can type into it at once. Its Enter signs in. */
function BadgeInput({ value, onChange }: InputProps) {
  const words = useWords().sharedDesk;
  return (
    <label className="fld">
      <span>{words.badge}</span>
      <span className="input tall">
        <input
          data-first
          type="password"
          autoComplete="off"
          maxLength={128}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </label>
  );
}
