import type { Medium, User } from '@tocsin/contract';
import { useState } from 'react';
import { useWords } from '../words/use-words.ts';
import type { Send } from './made-call.ts';
import { Stage, TextField } from './stage.tsx';
import { userNameOf } from './steps.ts';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

/** The addresses of the user and of one more person. */
export function PeopleStep({ path, installation: { me, users } }: Props) {
  const words = useWords().setUpPath;
  const [phone, setPhone] = useState(addressOf(me, 'Voice'));
  const [mail, setMail] = useState(addressOf(me, 'Email'));
  const [otherName, setOtherName] = useState('');
  const [otherPhone, setOtherPhone] = useState('');
  const save = async () => {
    const isDone = await path.attempt(async () => {
      await addMedia(path.send, me, [
        ...(phone.trim() === '' ? [] : [{ kind: 'Voice', address: phone.trim() } as const]),
        ...(mail.trim() === '' ? [] : [{ kind: 'Email', address: mail.trim() } as const]),
      ]);
      if (otherName.trim() !== '') await path.send<number>(newPerson(otherName.trim(), otherPhone.trim()));
    });
    if (isDone) path.finish();
  };
  const others = users.filter(({ id }) => id !== me.id).map(({ name }) => name);
  return (
    <Stage
      path={path}
      name="people"
      go={words.steps.people.go}
      isReady={phone.trim() + mail.trim() !== ''}
      onGo={() => void save()}
    >
      <div className="form2">
        <TextField
          label={words.ownPhone}
          value={phone}
          onChange={setPhone}
          type="tel"
          hint={words.phoneHint}
        />
        <TextField label={words.ownMail} note={words.optional} value={mail} onChange={setMail} type="email" />
        <TextField label={words.otherName} note={words.optional} value={otherName} onChange={setOtherName} />
        <TextField
          label={words.otherPhone}
          note={words.optional}
          value={otherPhone}
          onChange={setOtherPhone}
          type="tel"
        />
      </div>
      {others.length > 0 && <p className="muted fs12">{words.alreadyThere(others.join(', '))}</p>}
    </Stage>
  );
}

const addressOf = ({ media }: User, kind: Medium['kind']) =>
  media.find((medium) => medium.kind === kind)?.address ?? '';

const newPerson = (name: string, phone: string) =>
  ({
    method: 'POST',
    path: '/users',
    body: {
      username: userNameOf(name),
      name,
      role: 'operator',
      media: phone === '' ? [] : [{ kind: 'Voice', address: phone }],
    },
  }) as const;

/**
 * Gives somebody these addresses besides those that they have. Nobody is called at an address that is not confirmed; the
 * administrator who types their own number confirms it, and the test call proves it.
 */
export async function addMedia(send: Send, user: User, added: readonly Medium[]): Promise<void> {
  const kept = user.media.filter(({ kind }) => !added.some((medium) => medium.kind === kind));
  const media = [...added, ...kept.map(({ kind, address, enabled = true }) => ({ kind, address, enabled }))];
  const path = `/users/${user.id}/media`;
  const stored = await send<{ media: User['media'] }>({ method: 'PUT', path, body: { media } });
  for (const { kind, address, confirmed } of stored.media)
    if (!confirmed && added.some((medium) => medium.kind === kind))
      await send({ method: 'POST', path: `${path}/confirmation`, body: { kind, address, override: true } });
}
