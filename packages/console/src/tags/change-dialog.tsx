import { useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '@tocsin/client';
import type { ChangedTags, TagItem } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import type { ApiCall } from '../frame/curl.ts';
import { Dialog } from '../frame/dialog.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { changedCount, changeOf, noChange, reviewOf } from './change-draft.ts';
import { ChangeFields } from './change-fields.tsx';
import { ReviewTable } from './review-table.tsx';
import { tagsKey } from './tag-queries.ts';

type Props = {
  readonly tags: readonly TagItem[];
  readonly onDone: (result: ChangedTags) => void;
  readonly onClose: () => void;
};

/** One change for all selected tags, with a review of what it does before it is made. */
export function ChangeDialog({ tags, onDone, onClose }: Props) {
  const all = useWords();
  const words = all.tags;
  const [draft, setDraft] = useState(noChange);
  const { send, failure, stale, isBusy } = useSend(onDone);
  const count = changedCount(tags, draft);
  const body = { tags: tags.map(({ id, version }) => ({ id, version })), change: changeOf(draft) };
  const call: ApiCall = { method: 'POST', path: '/tags/changes', body };
  return (
    <Dialog
      title={words.changeTitle(tags.length)}
      kind="wide tall"
      onClose={onClose}
      onSubmit={() => count > 0 && !isBusy && void send(call)}
    >
      <p>{words.changeLead}</p>
      <ChangeFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
      <ReviewTable lines={reviewOf(tags, draft)} />
      {stale.length > 0 && (
        <section className="conflict" role="alert">
          <h3>{words.stale}</h3>
          <p>{words.staleLead}</p>
          <ul>
            {stale.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
          <Button label={words.readAgain} kind="primary" onClick={onClose} />
        </section>
      )}
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {words.failed(failure)}
        </p>
      )}
      <div className="dlgact">
        <ApiCallButton call={call} of={words.changeTitle(tags.length)} />
        <span className="fill" />
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.changeGo(count)} kind="primary" type="submit" disabled={count === 0 || isBusy} />
      </div>
    </Dialog>
  );
}

/** Sends the change. A refusal names the tags that somebody else has changed, and all are read again. */
function useSend(onDone: (result: ChangedTags) => void) {
  const { api } = useServices();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [stale, setStale] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const send = async ({ path, body }: ApiCall) => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api.post<ChangedTags>(path, body);
      onDone(data);
    } catch (error) {
      const isStale = error instanceof ProblemError && error.code === 'stale-version';
      if (isStale)
        setStale(error.errors.length > 0 ? error.errors.map(({ message }) => message) : [reasonOf(error)]);
      else setFailure(reasonOf(error));
    } finally {
      setIsBusy(false);
      await queries.invalidateQueries({ queryKey: tagsKey });
    }
  };
  return { send, failure, stale, isBusy };
}
