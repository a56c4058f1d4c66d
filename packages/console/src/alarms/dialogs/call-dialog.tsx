import { useQuery } from '@tanstack/react-query';
import { ProblemError } from '@tocsin/client';
import type { CallGroup, User } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { randomKey } from '../../services/random-key.ts';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { DialogProps } from './dialog-props.ts';

type Target = { readonly kind: 'users' | 'groups'; readonly id: number; readonly name: string };

/** The people and call groups whose names contain the text. */
function useTargets(text: string): readonly Target[] {
  const { api } = useServices();
  const read = async (): Promise<Target[]> => {
    const query = { limit: 6, ...(text !== '' && { search: text }) };
    const [groups, users] = await Promise.all([
      api.get<{ items: CallGroup[] }>('/callgroups', query),
      api.get<{ items: User[] }>('/users', query),
    ]);
    return [
      ...users.data.items.map(({ id, name }): Target => ({ kind: 'users', id, name })),
      ...groups.data.items.map(({ id, name }): Target => ({ kind: 'groups', id, name })),
    ];
  };
  return useQuery({ queryKey: ['call-targets', text], queryFn: read }).data ?? [];
}

/** Sends the call; keeps the reason if it is refused. */
function useCall(rows: DialogProps['rows'], target: Target | undefined, onClose: () => void) {
  const { api } = useServices();
  const { unreachable } = useWords().calling;
  const [failure, setFailure] = useState<string>();
  const submit = async (first: string) => {
    if (!target) return;
    const msgText = [first, ...rows.map(({ alarm }) => alarm.message)]
      .filter((part) => part !== '')
      .join('. ');
    const body = { [target.kind === 'users' ? 'userIds' : 'callGroupIds']: [target.id], msgText };
    try {
      const { data } = await api.post<boolean>(`/call/${target.kind}`, body, { idempotencyKey: randomKey() });
      if (data) onClose();
      else setFailure(unreachable);
    } catch (error) {
      setFailure(error instanceof ProblemError ? (error.detail ?? error.title) : String(error));
    }
  };
  return { failure, submit };
}

/** Calls a person or a group about an alarm, besides the calls that run. */
export function CallDialog({ rows, onClose }: DialogProps) {
  const all = useWords();
  const words = all.call;
  const [text, setText] = useState('');
  const [target, setTarget] = useState<Target>();
  const [first, setFirst] = useState('');
  const { failure, submit } = useCall(rows, target, onClose);
  const targets = useTargets(text.trim());
  return (
    <Dialog
      title={
        <>
          <Icon name="phone" size={20} />
          <span>{words.title}</span>
        </>
      }
      onClose={onClose}
      onSubmit={() => void submit(first.trim())}
    >
      <p>{words.lead}</p>
      <label className="fld">
        <span>{words.whom}</span>
        <span className="input tall">
          <Icon name="search" />
          <input
            data-first
            value={text}
            placeholder={words.whomHint}
            onChange={({ target: { value } }) => setText(value)}
          />
        </span>
      </label>
      <Targets targets={targets} chosen={target} onChoose={setTarget} />
      <SayFirst text={first} onChange={setFirst} />
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {all.actions.failed(all.actions.call, failure)}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button
          label={target ? words.go(target.name) : words.choose}
          icon="phone"
          kind={target ? 'primary' : ''}
          type="submit"
          disabled={!target}
        />
      </div>
    </Dialog>
  );
}

type TargetsProps = {
  readonly targets: readonly Target[];
  readonly chosen: Target | undefined;
  readonly onChoose: (target: Target) => void;
};

function Targets({ targets, chosen, onChoose }: TargetsProps) {
  const words = useWords().call;
  if (targets.length === 0) return <p>{words.empty}</p>;
  return (
    <div className="pick" role="radiogroup" aria-label={words.people}>
      {targets.map((target) => {
        const isChosen = chosen?.kind === target.kind && chosen.id === target.id;
        return (
          <label key={`${target.kind}${target.id}`} className={isChosen ? 'on' : ''}>
            <input type="radio" name="target" checked={isChosen} onChange={() => onChoose(target)} />
            <b>{target.name}</b>
            <small>{target.kind === 'groups' ? words.group : ''}</small>
          </label>
        );
      })}
    </div>
  );
}

function SayFirst({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const words = useWords().call;
  return (
    <label className="fld">
      <span>
        <span>{words.say}</span> <em>{words.sayHint}</em>
      </span>
      <textarea
        className="area-in"
        rows={2}
        value={text}
        onChange={({ target: { value } }) => onChange(value)}
      />
    </label>
  );
}
