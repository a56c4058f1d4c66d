import type { Scenario } from '@tocsin/contract';
import { Button } from '../../frame/button.tsx';
import { Icon } from '../../symbols/icon.tsx';
import type { IconName } from '../../symbols/icon-names.ts';
import { useWords } from '../../words/use-words.ts';
import { moved } from '../core/fields.ts';
import { ReferenceSelect } from '../core/reference-fields.tsx';
import { Tool } from '../core/tool.tsx';

type Action = Scenario['alarmActions'][number];
type Type = Action['type'];

/** A scenario cannot contain another one. */
const types = [
  'CallGroup',
  'CallUser',
  'PlaySound',
  'ExecuteCommand',
  'StopCommand',
] as const satisfies Type[];
const icons: Record<Type, IconName> = {
  CallGroup: 'phone-call',
  CallUser: 'user',
  PlaySound: 'volume-2',
  ExecuteCommand: 'terminal',
  StopCommand: 'circle-x',
  Scenario: 'workflow',
};
const mostActions = 64;

type Props = {
  readonly label: string;
  readonly value: readonly Action[];
  readonly onChange: (value: readonly Action[]) => void;
};

/** What happens on one occasion, as a ladder. Each rung can be changed, moved and removed. */
export function ActionsField({ label, value, onChange }: Props) {
  const words = useWords().configureScenario;
  return (
    <div className="ladderfield">
      {value.length === 0 && <p className="muted">{words.nothing}</p>}
      <ol>
        {value.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place in the order.
          <li key={index} className="act">
            <Icon name={icons[action.type]} size={16} />
            <Rung
              action={action}
              number={index + 1}
              of={label}
              onChange={(next) => onChange(value.with(index, next))}
            />
            <span className="acttools">
              <Tool
                icon="arrow-up"
                label={words.up(index + 1, label)}
                isOff={index === 0}
                onClick={() => onChange(moved(value, index, -1))}
              />
              <Tool
                icon="arrow-down"
                label={words.down(index + 1, label)}
                isOff={index === value.length - 1}
                onClick={() => onChange(moved(value, index, 1))}
              />
              <Tool
                icon="x"
                label={words.remove(index + 1, label)}
                onClick={() => onChange(value.toSpliced(index, 1))}
              />
            </span>
          </li>
        ))}
      </ol>
      <Button
        label={words.add}
        icon="plus"
        kind="sm ghost"
        aria-label={words.addTo(label)}
        disabled={value.length >= mostActions}
        onClick={() => onChange([...value, { type: 'CallGroup', id: 0 }])}
      />
    </div>
  );
}

type RungProps = {
  readonly action: Action;
  readonly number: number;
  readonly of: string;
  readonly onChange: (action: Action) => void;
};

function Rung({ action, number, of, onChange }: RungProps) {
  const all = useWords();
  const words = all.configureScenario;
  return (
    <span className="rung">
      <span className="input">
        <select
          aria-label={words.type(number, of)}
          value={action.type}
          onChange={({ target }) => onChange({ type: target.value as Type, id: 0 })}
        >
          {types.map((type) => (
            <option key={type} value={type}>
              {all.configureChoices[type]}
            </option>
          ))}
        </select>
      </span>
      <Target action={action} number={number} of={of} onChange={onChange} />
    </span>
  );
}

/** Whom or what the action names, depending on its type. */
function Target({ action, number, of, onChange }: RungProps) {
  const words = useWords().configureScenario;
  const { type, id = 0, scriptId = 0, parameter = '' } = action;
  if (type === 'CallGroup' || type === 'CallUser') {
    const field = {
      kind: 'reference',
      of: type === 'CallGroup' ? 'callgroups' : 'users',
      none: 'choose',
    } as const;
    return (
      <ReferenceSelect
        field={field}
        label={words.target(number, of)}
        value={id}
        ownId={undefined}
        onChange={(next) => onChange({ ...action, id: next })}
      />
    );
  }
  return (
    <>
      {type !== 'PlaySound' && (
        <span className="input">
          <input
            type="number"
            min={0}
            aria-label={words.script(number, of)}
            value={scriptId}
            onChange={({ target }) => onChange({ ...action, scriptId: Number(target.value) })}
          />
        </span>
      )}
      <span className="input">
        <input
          aria-label={words.parameter(number, of)}
          placeholder={type === 'PlaySound' ? words.file : words.parameterHint}
          value={parameter}
          maxLength={4_096}
          onChange={({ target }) => onChange({ ...action, parameter: target.value })}
        />
      </span>
    </>
  );
}
