import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useServices } from '../services/services.ts';
import { useSharedDesk } from '../services/use-shared-desk.ts';
import { formText } from '../sign-in/form-text.ts';
import { deskName, setDeskName } from '../sound/desk-name.ts';
import { useWords } from '../words/use-words.ts';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

const path = '/auth/desk';

/** Makes this browser a shared desk, where people act in their own names with a PIN or a badge. */
export function DeskCard() {
  const words = useWords().sharedDesk;
  const { api, desk } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { change, told, isBusy } = useChange();
  const isShared = useSharedDesk().name !== undefined;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = formText(new FormData(event.currentTarget), 'name').trim();
    const isMade = await change(words.title, () => api.post(path, { name }));
    if (!isMade) return;
    setDeskName(name);
    desk.name(name);
    await navigate({ to: '/' });
    await queries.invalidateQueries();
  };
  if (isShared) return null;
  return (
    <Card title={words.title} call={{ method: 'POST', path, body: { name: '…' } }}>
      <form className="in fields" onSubmit={(event) => void submit(event)}>
        <p className="muted">{words.lead}</p>
        <label className="fld">
          <span>{words.name}</span>
          <span className="input">
            <input name="name" defaultValue={deskName()} maxLength={64} required />
          </span>
        </label>
        <Button label={words.make} icon="monitor" type="submit" disabled={isBusy} />
        <p className="muted">{words.makeFine}</p>
        <Told told={told} />
      </form>
    </Card>
  );
}
