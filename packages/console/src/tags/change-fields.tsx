import { useWords } from '../words/use-words.ts';
import type { ChangeDraft } from './change-draft.ts';
import { useScenarios, useTagGroups } from './tag-queries.ts';
import { nameOf, treeOf } from './tag-tree.ts';

type Props = { readonly draft: ChangeDraft; readonly onChange: (part: Partial<ChangeDraft>) => void };

export function ChangeFields({ draft, onChange }: Props) {
  const all = useWords();
  const words = all.tags;
  const groups = treeOf(useTagGroups());
  const scenarios = useScenarios();
  const priorities = ([1, 2, 3, 4] as const).map(
    (priority) => [priority, `${priority} ${all.priorities[priority]}`] as const,
  );
  return (
    <div className="twofields changefields">
      <Choice
        label={words.priority}
        value={draft.priority}
        options={priorities}
        onChange={(priority) => onChange({ priority })}
      />
      <label className="fld">
        <span>
          <span>{words.delayInSeconds}</span>
        </span>
        <span className="input">
          <input
            type="number"
            min={0}
            placeholder={words.keep}
            value={draft.alarmDelay}
            onChange={({ target }) => onChange({ alarmDelay: target.value })}
          />
        </span>
      </label>
      <Choice
        label={words.group}
        value={draft.tagGroupId}
        options={groups.map(
          ({ group, depth }) => [group.id, `${'– '.repeat(depth)}${nameOf(group)}`] as const,
        )}
        onChange={(tagGroupId) => onChange({ tagGroupId })}
      />
      <Choice
        label={words.scenario}
        value={draft.scenarioId}
        options={[[0, words.ofGroup], ...scenarios.map(({ id, name }) => [id, name] as const)]}
        onChange={(scenarioId) => onChange({ scenarioId })}
      />
    </div>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [number, string])[];
  readonly onChange: (value: string) => void;
};

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const words = useWords().tags;
  return (
    <label className="fld">
      <span>
        <span>{label}</span>
      </span>
      <span className="input">
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{words.keep}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}
