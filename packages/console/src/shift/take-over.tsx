import type { ApiAnswer } from '@tocsin/client';
import type { ShiftNote } from '@tocsin/contract';
import { type ReactNode, useState } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Button } from '../frame/button.tsx';
import { useMeta } from '../services/queries.ts';
import { useIsOnline } from '../services/use-live.ts';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { useNoteChanges } from './note-changes.ts';
import { SignatureBoxes } from './signature-boxes.tsx';
import { useAttempt } from './use-attempt.ts';

type Props = {
  readonly answer: ApiAnswer<ShiftNote>;
  /** How many alarms are open. */
  readonly open: number;
  readonly now: number;
  readonly children: ReactNode;
};

/** The incoming shift reads the note and signs it. Nobody signs for both shifts. */
export function TakeOver({ answer, open, now, children }: Props) {
  const words = useWords().shift;
  const { outgoing, text } = answer.data;
  const { name, isOwn } = useTaker(answer.data);
  return (
    <div className="scroll">
      <section className="hand">
        <SignatureBoxes
          from={{ name: outgoing?.user ?? '', signature: outgoing }}
          to={{ name: name ?? words.nextShift, signature: undefined }}
          now={now}
        />
        <div className="fld">
          <span>{words.said}</span>
          <p className="area-in notetext">{text}</p>
        </div>
      </section>
      {name === undefined ? (
        <section className="noprint">
          <p className="fine2">
            <Icon name="log-out" size={15} />
            <span>{isOwn ? words.somebodyElse : words.readOnly}</span>
          </p>
        </section>
      ) : (
        <Confirm answer={answer} open={open} name={name} />
      )}
      {children}
    </div>
  );
}

/** The name of the user, if they may take over. Who has signed for the outgoing shift may not. */
function useTaker({ outgoing }: ShiftNote): { readonly name: string | undefined; readonly isOwn: boolean } {
  const user = useMeta()?.user;
  const mayAct = useMay().has('alarms:act');
  const isOwn = user !== undefined && outgoing?.userId === `user:${user.id}`;
  return { name: mayAct && !isOwn ? user?.name : undefined, isOwn };
}

type ConfirmProps = Pick<Props, 'answer' | 'open'> & { readonly name: string };

/** What somebody should know before they take over. The ticks are an aid and are not kept. */
function Confirm({ answer, open, name }: ConfirmProps) {
  const words = useWords().shift;
  const masks = useAlarms().rows.filter(({ state }) => state === 'mask').length;
  const points = [words.knowsOpen(open), words.knowsMasks(masks), words.knowsDuty, words.hearsSound];
  const [known, setKnown] = useState<ReadonlySet<number>>(new Set());
  const changes = useNoteChanges();
  const { attempt, failure } = useAttempt();
  const isOnline = useIsOnline();
  const toggle = (index: number) =>
    setKnown(
      (before) =>
        new Set(before.has(index) ? [...before].filter((each) => each !== index) : [...before, index]),
    );
  return (
    <section className="noprint">
      <h3>{words.confirms(name)}</h3>
      <div className="frs">
        {points.map((point, index) => (
          <label key={point} className="chk">
            <input type="checkbox" checked={known.has(index)} onChange={() => toggle(index)} />
            <span>{point}</span>
          </label>
        ))}
      </div>
      <p className="fine2">{words.afterBoth}</p>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <Button
        label={words.takesOver(name)}
        icon="arrow-left-right"
        kind="primary takeover"
        disabled={!isOnline || known.size < points.length}
        onClick={() => void attempt(words.handOver, () => changes.sign(answer, 'incoming'))}
      />
    </section>
  );
}
