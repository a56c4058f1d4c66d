import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { useWords } from '../../words/use-words.ts';
import type { DialogProps } from './dialog-props.ts';
import { Failure } from './failure.tsx';

/** Declares a fault gone that its source does not take back. */
export function ResetDialog({ rows, actions, onClose }: DialogProps) {
  const words = useWords();
  const [first] = rows;
  if (!first) return null;
  const submit = async () => {
    if (await actions.reset(rows.map(({ alarm }) => alarm.id))) onClose();
  };
  const title =
    rows.length === 1 ? words.resetting.title(first.alarm.message) : words.resetting.titleMany(rows.length);
  return (
    <Dialog
      title={
        <>
          <AlarmSymbol priority={first.priority} state={first.state} size={24} named={false} />
          <span>{title}</span>
        </>
      }
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p>{words.resetting.lead}</p>
      <p>{words.resetting.back}</p>
      <Failure actions={actions} />
      <div className="dlgact">
        <Button label={words.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.resetting.go(rows.length)} kind="primary" type="submit" data-first />
      </div>
    </Dialog>
  );
}
