import { useWords } from '../words/use-words.ts';
import type { NewTagDraft } from './new-tag-draft.ts';
import { useDataServers, useScenarios, useTagGroups } from './tag-queries.ts';
import { nameOf, treeOf } from './tag-tree.ts';

type Props = { readonly draft: NewTagDraft; readonly onChange: (part: Partial<NewTagDraft>) => void };

export function NewTagFields({ draft, onChange }: Props) {
  const all = useWords();
  const words = all.newTag;
  const groups = treeOf(useTagGroups()).map(
    ({ group, depth }) => [group.id, `${'– '.repeat(depth)}${nameOf(group)}`] as const,
  );
  const named = (items: readonly { id: number; name: string }[]) =>
    items.map(({ id, name }) => [id, name] as const);
  const priorities = ([1, 2, 3, 4] as const).map(
    (priority) => [priority, `${priority} ${all.priorities[priority]}`] as const,
  );
  const field = (name: keyof NewTagDraft) => ({
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <div className="twofields changefields">
      <Choice label={words.dataServer} options={named(useDataServers())} {...field('dataServerId')} />
      <Text label={words.path} hint={words.pathHint} isFirst {...field('path')} />
      <Text label={words.message} {...field('message')} />
      <Choice label={all.tags.priority} options={priorities} {...field('priority')} />
      <Choice label={all.tags.group} none={all.tags.noGroup} options={groups} {...field('tagGroupId')} />
      <Choice
        label={all.tags.scenario}
        none={all.tags.ofGroup}
        options={named(useScenarios())}
        {...field('scenarioId')}
      />
    </div>
  );
}

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Text({
  label,
  hint,
  isFirst = false,
  value,
  onChange,
}: FieldProps & { readonly hint?: string; readonly isFirst?: boolean }) {
  return (
    <label className="fld">
      <span>
        <span>{label}</span>
      </span>
      <span className="input">
        <input
          value={value}
          autoComplete="off"
          data-first={isFirst ? '' : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

type ChoiceProps = FieldProps & {
  readonly options: readonly (readonly [number, string])[];
  /** What choosing nothing means; without it something must be chosen. */
  readonly none?: string;
};

function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  return (
    <label className="fld">
      <span>
        <span>{label}</span>
      </span>
      <span className="input">
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          {none !== undefined && <option value="">{none}</option>}
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
