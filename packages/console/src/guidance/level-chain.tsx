import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { deciding, isSame, type Level, type Levels } from './levels.ts';

type Props = {
  readonly levels: Levels;
  readonly level: Level;
  /** Whether something was typed, which another level would drop. */
  readonly isLocked: boolean;
  readonly onChoose: (level: Level) => void;
};

/** Station, tag groups and tag. The one that decides has a heavy line and says so. */
export function LevelChain({ levels, level, isLocked, onChoose }: Props) {
  const words = useWords().guidance;
  const decides = deciding(levels);
  const note = (each: Level) => {
    if (decides && isSame(each, decides)) return words.applies(each.own.version ?? 1);
    return each.own.guidance ? words.overruled(each.own.version ?? 1) : words.noneOwn;
  };
  return (
    <div className="levels" role="group" aria-label={words.levels}>
      {levels.map((each, index) => (
        <span key={`${each.object} ${each.id}`}>
          {index > 0 && <Icon name="chevron-right" size={14} />}
          <button
            type="button"
            className={decides && isSame(each, decides) ? 'level decides' : 'level'}
            aria-pressed={isSame(each, level)}
            disabled={isLocked && !isSame(each, level)}
            onClick={() => onChoose(each)}
          >
            <small>{words.objects[each.object]}</small>
            <b>{each.name}</b>
            <small>{note(each)}</small>
          </button>
        </span>
      ))}
    </div>
  );
}
