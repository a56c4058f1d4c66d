import { useQueryClient } from '@tanstack/react-query';
import type { TagImportResult } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { definitionOf, type NewTagDraft, oneLine } from './new-tag-draft.ts';
import { NewTagFields } from './new-tag-fields.tsx';
import { tagsKey, useDataServers } from './tag-queries.ts';

/** Makes a tag before its control system has raised it. */
export function NewTagButton({ mayDefine, tagGroupId }: { mayDefine: boolean; tagGroupId: number }) {
  const words = useWords().newTag;
  const servers = useDataServers();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<string>();
  const first = String(servers[0]?.id ?? '');
  const done = (path: string) => {
    setMade(path);
    setIsOpen(false);
  };
  return (
    <>
      {made !== undefined && (
        <span className="muted fs12" role="status">
          {words.made(made)}
        </span>
      )}
      <Button
        label={words.open}
        icon="plus"
        kind="sm"
        disabled={!mayDefine || first === ''}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <NewTagDialog
          initial={{
            dataServerId: first,
            path: '',
            priority: '3',
            tagGroupId: tagGroupId === 0 ? '' : String(tagGroupId),
            scenarioId: '',
            message: '',
          }}
          onDone={done}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

type DialogProps = {
  readonly initial: NewTagDraft;
  readonly onDone: (path: string) => void;
  readonly onClose: () => void;
};

function NewTagDialog({ initial, onDone, onClose }: DialogProps) {
  const all = useWords();
  const words = all.newTag;
  const [draft, setDraft] = useState(initial);
  const { create, failure, isBusy } = useCreate(onDone);
  const body = definitionOf(draft);
  const isReady = body.path !== '' && !isBusy;
  return (
    <Dialog title={words.title} kind="wide" onClose={onClose} onSubmit={() => isReady && void create(draft)}>
      <p>{words.lead}</p>
      <NewTagFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <ApiCallButton call={{ method: 'POST', path: '/alarms', body }} of={words.title} />
        <span className="fill" />
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.go} kind="primary" type="submit" disabled={!isReady} />
      </div>
    </Dialog>
  );
}

/** Creates a tag. A post would change one that is there, so a dry run asks first. */
function useCreate(onDone: (path: string) => void) {
  const all = useWords();
  const { api } = useServices();
  const queries = useQueryClient();
  const servers = useDataServers();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const findFault = async ({ dataServerId, path }: NewTagDraft) => {
    const server = servers.find(({ id }) => String(id) === dataServerId)?.name ?? '';
    const csv = oneLine(server, path);
    const { data } = await api.post<TagImportResult>('/tags/import?dryRun=true', { csv });
    if (data.added.length === 1) return undefined;
    return data.wrong[0]?.reason ?? all.newTag.exists(path.trim());
  };
  const create = async (draft: NewTagDraft) => {
    setIsBusy(true);
    try {
      const fault = await findFault(draft);
      setFailure(fault);
      if (fault !== undefined) return;
      await api.post('/alarms', definitionOf(draft));
      await queries.invalidateQueries({ queryKey: tagsKey });
      onDone(draft.path.trim());
    } catch (error) {
      setFailure(all.tags.failed(reasonOf(error)));
    } finally {
      setIsBusy(false);
    }
  };
  return { create, failure, isBusy };
}
