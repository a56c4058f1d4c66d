import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { removeTeam, saveTeam, type Team } from '../planning/draft.ts';
import { useRoster } from '../roster-context.ts';
import { Choice } from './time-fields.tsx';

type Props = { readonly team: Team; readonly onClose: () => void };

/** A team: its name and its people, in the order in which they are called. */
export function TeamDialog({ team, onClose }: Props) {
  const all = useWords();
  const words = all.roster;
  const { planner } = useRoster();
  const { draft } = planner;
  const [name, setName] = useState(team.name);
  const [userIds, setUserIds] = useState<readonly number[]>(team.userIds);
  const isKnown = draft.teams.some(({ id }) => id === team.id);
  const used = draft.slots.filter(({ teamId }) => teamId === team.id).length;
  const overrides = planner.base.group.roster.overrides.filter(({ teamId }) => teamId === team.id).length;
  const save = () => {
    if (name.trim() === '') return;
    planner.edit(saveTeam(draft, { ...team, name: name.trim(), userIds: [...userIds] }));
    onClose();
  };
  const remove = () => {
    planner.edit(removeTeam(draft, team.id));
    onClose();
  };
  return (
    <Dialog
      title={<Title name={isKnown ? words.teamTitle(team.name) : words.newTeam} />}
      onClose={onClose}
      onSubmit={save}
    >
      <label className="fld">
        <span>{words.teamName}</span>
        <span className="input tall">
          <input
            data-first
            value={name}
            required
            maxLength={64}
            onChange={({ target }) => setName(target.value)}
          />
        </span>
      </label>
      <Members userIds={userIds} onChange={setUserIds} />
      <AddPerson userIds={userIds} onChange={setUserIds} />
      {isKnown && used + overrides > 0 && <p>{words.teamUsed(used, overrides)}</p>}
      <div className="dlgact">
        {isKnown && (
          <Button
            label={words.removeTeam}
            icon="trash-2"
            kind="ghost start"
            disabled={overrides > 0}
            onClick={remove}
          />
        )}
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.saveTeam} kind="primary" type="submit" disabled={name.trim() === ''} />
      </div>
    </Dialog>
  );
}

function Title({ name }: { readonly name: string }) {
  return (
    <>
      <Icon name="id-card" size={20} />
      <span>{name}</span>
    </>
  );
}

type MembersProps = {
  readonly userIds: readonly number[];
  readonly onChange: (userIds: readonly number[]) => void;
};

function Members({ userIds, onChange }: MembersProps) {
  const words = useWords().roster;
  const names = useNames();
  const up = (index: number) =>
    onChange(userIds.with(index, userIds[index - 1] ?? 0).with(index - 1, userIds[index] ?? 0));
  return (
    <ol className="members" aria-label={words.callingOrder}>
      {userIds.map((id, index) => (
        <li key={id}>
          <span>{names.person(id)}</span>
          <button
            type="button"
            className="btn sm icon"
            aria-label={words.callEarlier(names.person(id))}
            disabled={index === 0}
            onClick={() => up(index)}
          >
            <Icon name="arrow-up" />
          </button>
          <button
            type="button"
            className="btn sm icon"
            aria-label={words.takeOut(names.person(id))}
            onClick={() => onChange(userIds.filter((other) => other !== id))}
          >
            <Icon name="minus" />
          </button>
        </li>
      ))}
    </ol>
  );
}

function AddPerson({ userIds, onChange }: MembersProps) {
  const words = useWords().roster;
  const { people } = useRoster();
  const free = [...people.values()].filter(({ id, enabled }) => enabled && !userIds.includes(id));
  return (
    <Choice
      label={words.addPerson}
      value=""
      choices={[['', words.choose], ...free.map((user) => [String(user.id), user.name] as const)]}
      onChange={(value) => value !== '' && onChange([...userIds, Number(value)])}
    />
  );
}
