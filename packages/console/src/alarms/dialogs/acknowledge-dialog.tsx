import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { priorities } from '../alarm-row.ts';
import type { DialogProps } from './dialog-props.ts';
import { Failure } from './failure.tsx';

/** Says how many alarms of each priority are taken at once, before they are. */
export function AcknowledgeDialog({ rows, actions, onClose }: DialogProps) {
  const words = useWords();
  const counts = priorities
    .map((priority) => ({ priority, count: rows.filter((row) => row.priority === priority).length }))
    .filter(({ count }) => count > 0);
  const submit = async () => {
    if (await actions.acknowledge(rows.map(({ alarm }) => alarm.id))) onClose();
  };
  const title = (
    <>
      <Icon name="check" size={20} />
      <span>{words.visible.title(rows.length)}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void submit()}>
      <p>{words.visible.lead}</p>
      <ul className="counts">
        {counts.map(({ priority, count }) => (
          <li key={priority}>
            <AlarmSymbol priority={priority} state="new" size={20} named={false} />
            <b>{count}</b>
            <span>{words.priorities[priority]}</span>
          </li>
        ))}
      </ul>
      <Failure actions={actions} />
      <div className="dlgact">
        <Button label={words.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.visible.go(rows.length)} icon="check" kind="primary" type="submit" data-first />
      </div>
    </Dialog>
  );
}
