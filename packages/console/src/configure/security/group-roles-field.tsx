import { type GroupRole, roles } from '@tocsin/contract';
import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { moved } from '../core/fields.ts';
import { Tool } from '../core/tool.tsx';
import { shortChoice } from '../core/use-tell.ts';

type Props = {
  readonly value: readonly GroupRole[];
  readonly onChange: (value: readonly GroupRole[]) => void;
};

/** The groups of an outside system and the roles of their members. The first match counts. */
export function GroupRolesField({ value, onChange }: Props) {
  const words = useWords().securityForms;
  return (
    <div className="grouproles">
      <ol>
        {value.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the order.
            key={index}
            row={row}
            number={index + 1}
            onChange={(next) => onChange(value.with(index, next))}
            onRaise={index === 0 ? undefined : () => onChange(moved(value, index, -1))}
            onRemove={() => onChange(value.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <Button
        label={words.addGroup}
        icon="plus"
        kind="sm ghost"
        disabled={value.length >= 100}
        onClick={() => onChange([...value, { group: '', role: 'viewer' }])}
      />
    </div>
  );
}

type RowProps = {
  readonly row: GroupRole;
  readonly number: number;
  readonly onChange: (row: GroupRole) => void;
  readonly onRaise: (() => void) | undefined;
  readonly onRemove: () => void;
};

function Row({ row, number, onChange, onRaise, onRemove }: RowProps) {
  const all = useWords();
  const words = all.securityForms;
  return (
    <li>
      <span className="input">
        <input
          aria-label={words.group(number)}
          value={row.group}
          maxLength={512}
          required
          onChange={({ target }) => onChange({ ...row, group: target.value })}
        />
      </span>
      <span className="input">
        <select
          aria-label={words.roleOf(number)}
          value={row.role}
          onChange={({ target }) => onChange({ ...row, role: target.value as GroupRole['role'] })}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {shortChoice(all, role)}
            </option>
          ))}
        </select>
      </span>
      <Tool icon="arrow-up" label={words.groupUp(number)} isOff={!onRaise} onClick={() => onRaise?.()} />
      <Tool icon="x" label={words.groupRemove(number)} onClick={onRemove} />
    </li>
  );
}
