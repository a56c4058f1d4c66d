import { useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { Stage, TextField } from './stage.tsx';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

/** Time to answer before the next person is called. */
const ackTimeout = 180;

/** The people who are called, in their order. */
export function GroupStep({ path, installation: { me, users, callGroups } }: Props) {
  const words = useWords().setUpPath;
  const [name, setName] = useState(words.groupDefault);
  const reachable = users.filter(({ id, media }) => id === me.id || media.length > 0);
  const people = [me, ...reachable.filter(({ id }) => id !== me.id)];
  const save = async () => {
    const userIds = people.map(({ id }) => id);
    const body = { name, mode: 'Sequential', userIds, ackTimeout, attempts: 2, cycles: 2 };
    const isDone = await path.attempt(async () => {
      await path.send<number>({ method: 'POST', path: '/callgroups', body });
    });
    if (isDone) path.finish();
  };
  return (
    <Stage
      path={path}
      name="group"
      go={words.steps.group.go}
      isReady={name.trim() !== ''}
      onGo={() => void save()}
    >
      <div className="form2">
        <TextField label={words.groupName} value={name} onChange={setName} isRequired />
      </div>
      <ol className="orderlist">
        {people.map((person, index) => (
          <li key={person.id}>
            <span className="ordn">{index + 1}</span>
            <span>
              <b>{person.name}</b>
              <small>{words.calledFor(ackTimeout / 60)}</small>
            </span>
          </li>
        ))}
      </ol>
      {callGroups.length > 0 && (
        <p className="muted fs12">{words.alreadyThere(callGroups.map((group) => group.name).join(', '))}</p>
      )}
    </Stage>
  );
}
