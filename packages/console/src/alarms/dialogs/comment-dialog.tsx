import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { DialogProps } from './dialog-props.ts';
import { Failure } from './failure.tsx';

export function CommentDialog({ rows, actions, onClose }: DialogProps) {
  const all = useWords();
  const words = all.comment;
  const [comment, setComment] = useState('');
  const submit = async () => {
    if (comment.trim() === '') return;
    if (
      await actions.comment(
        rows.map(({ alarm }) => alarm.id),
        comment.trim(),
      )
    )
      onClose();
  };
  return (
    <Dialog
      title={
        <>
          <Icon name="message-square" size={20} />
          <span>{words.title(rows[0]?.alarm.message ?? '')}</span>
        </>
      }
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <label className="fld">
        <span>
          <span>{words.what}</span> <em>{words.whatHint}</em>
        </span>
        <textarea
          className="area-in"
          rows={4}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
      </label>
      <Failure actions={actions} />
      <div className="dlgact">
        <small>{words.hint}</small>
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.go} kind="primary" type="submit" disabled={comment.trim() === ''} />
      </div>
    </Dialog>
  );
}
