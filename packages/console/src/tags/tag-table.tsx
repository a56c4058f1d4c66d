import { type ConsolePriority, consolePriority, type TagItem } from '@tocsin/contract';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useWords } from '../words/use-words.ts';

type Props = {
  readonly tags: readonly TagItem[];
  readonly selected: ReadonlySet<number>;
  readonly scenarios: ReadonlyMap<number, string>;
  readonly onSelect: (ids: readonly number[], isSelected: boolean) => void;
  readonly onGuidance: (id: number) => void;
};

export function TagTable({ tags, selected, scenarios, onSelect, onGuidance }: Props) {
  const words = useWords().tags;
  const isAll = tags.length > 0 && tags.every(({ id }) => selected.has(id));
  return (
    <div className="hist" role="region" aria-label={words.title} tabIndex={0}>
      <table className="tbl rows edge tagtable">
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={words.selectAll}
                checked={isAll}
                onChange={({ target }) =>
                  onSelect(
                    tags.map(({ id }) => id),
                    target.checked,
                  )
                }
              />
            </th>
            <th>{words.priority}</th>
            <th>{words.message}</th>
            <th>{words.tag}</th>
            <th>{words.group}</th>
            <th>{words.scenario}</th>
            <th className="n">{words.delay}</th>
            <th>{words.guidance}</th>
          </tr>
        </thead>
        <tbody>
          {tags.map((tag) => (
            <TagRow
              key={tag.id}
              tag={tag}
              isSelected={selected.has(tag.id)}
              scenario={scenarios.get(tag.scenarioId)}
              onSelect={(isSelected) => onSelect([tag.id], isSelected)}
              onGuidance={() => onGuidance(tag.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = {
  readonly tag: TagItem;
  readonly isSelected: boolean;
  readonly scenario: string | undefined;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onGuidance: () => void;
};

function TagRow({ tag, isSelected, scenario, onSelect, onGuidance }: RowProps) {
  const all = useWords();
  const words = all.tags;
  const priority: ConsolePriority = consolePriority(tag.priority);
  const guidance = tag.hasGuidance ? words.present : words.missing;
  return (
    <tr className={isSelected ? 'sel' : undefined} data-tag={tag.id}>
      <td>
        <input
          type="checkbox"
          aria-label={words.select(tag.path)}
          checked={isSelected}
          onChange={({ target }) => onSelect(target.checked)}
        />
      </td>
      <td>
        <AlarmSymbol priority={priority} state="ack" size={18} named={false} />
        {tag.priority} {all.priorities[priority]}
      </td>
      <td className="msgc">{tag.alarmMessage === '' ? words.noMessage : tag.alarmMessage}</td>
      <th className="tag" scope="row">
        {tag.path}
      </th>
      <td>{tag.tagGroup}</td>
      <td className={scenario === undefined ? 'inh' : 'own'}>{scenario ?? words.ofGroup}</td>
      <td className="n">{words.seconds(tag.alarmDelay)}</td>
      <td>
        <button
          type="button"
          className={tag.hasGuidance ? 'lnk' : 'lnk own'}
          aria-label={`${guidance}, ${words.guidanceOf(tag.path)}`}
          onClick={onGuidance}
        >
          {guidance}
        </button>
      </td>
    </tr>
  );
}
