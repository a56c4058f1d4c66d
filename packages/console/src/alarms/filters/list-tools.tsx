import { Button } from '../../frame/button.tsx';
import { useMeta } from '../../services/queries.ts';
import { useIsOnline } from '../../services/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import { type AlarmRow, isWaiting } from '../alarm-row.ts';

type Props = {
  readonly rows: readonly AlarmRow[];
  readonly isFrozen: boolean;
  readonly onFreeze: () => void;
  readonly onAcknowledge: (kind: 'acknowledge') => void;
};

/** What can be done with the whole list: let it stand still, or take all that is on the screen. */
export function ListTools({ rows, isFrozen, onFreeze, onAcknowledge }: Props) {
  const words = useWords();
  const isOnline = useIsOnline();
  const mayAct = useMeta()?.user.permissions.includes('alarms:act') ?? false;
  return (
    <span className="listtools">
      {mayAct && (
        <Button
          label={words.visible.open}
          icon="check"
          kind="sm ghost"
          disabled={!isOnline || !rows.some(isWaiting)}
          onClick={() => onAcknowledge('acknowledge')}
        />
      )}
      <Button
        label={isFrozen ? words.flood.goOn : words.flood.freeze}
        icon={isFrozen ? 'play' : 'pause'}
        hint="Z"
        kind="sm ghost"
        aria-pressed={isFrozen}
        onClick={onFreeze}
      />
    </span>
  );
}
