import { mediumKinds, type UserMedium } from '@tocsin/contract';
import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { moved } from '../core/fields.ts';
import { Tool } from '../core/tool.tsx';

type Props = {
  readonly value: readonly UserMedium[];
  readonly onChange: (value: readonly UserMedium[]) => void;
};

const mostMedia = 32;

/** The media of a person in the order in which they are tried. Each can be moved and removed without dragging. */
export function MediaField({ value, onChange }: Props) {
  const words = useWords().configurePeople;
  return (
    <div className="medialist">
      {value.length === 0 && <p className="muted">{words.noMedia}</p>}
      <ol>
        {value.map((medium, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a medium is its place in the order.
          <li key={index}>
            <span className="ordn">{index + 1}</span>
            <MediumInputs
              medium={medium}
              number={index + 1}
              onChange={(next) => onChange(value.with(index, next))}
            />
            <Tool
              icon="arrow-up"
              label={words.mediumUp(index + 1)}
              isOff={index === 0}
              onClick={() => onChange(moved(value, index, -1))}
            />
            <Tool
              icon="arrow-down"
              label={words.mediumDown(index + 1)}
              isOff={index === value.length - 1}
              onClick={() => onChange(moved(value, index, 1))}
            />
            <Tool
              icon="x"
              label={words.mediumRemove(index + 1)}
              onClick={() => onChange(value.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <Button
        label={words.addMedium}
        icon="plus"
        kind="sm"
        disabled={value.length >= mostMedia}
        onClick={() => onChange([...value, { kind: 'Voice', address: '', enabled: true }])}
      />
    </div>
  );
}

type InputsProps = {
  readonly medium: UserMedium;
  readonly number: number;
  readonly onChange: (medium: UserMedium) => void;
};

function MediumInputs({ medium, number, onChange }: InputsProps) {
  const words = useWords();
  const { kind, address, enabled = true } = medium;
  return (
    <>
      <span className="input">
        <select
          aria-label={words.configurePeople.mediumKind(number)}
          value={kind}
          onChange={({ target }) => onChange({ ...medium, kind: target.value as UserMedium['kind'] })}
        >
          {mediumKinds.map((each) => (
            <option key={each} value={each}>
              {words.configureChoices[each]}
            </option>
          ))}
        </select>
      </span>
      <span className="input">
        <input
          aria-label={words.configurePeople.address(number)}
          value={address}
          required
          maxLength={1_024}
          onChange={({ target }) => onChange({ ...medium, address: target.value })}
        />
      </span>
      <label className="switch">
        <input
          type="checkbox"
          checked={enabled}
          aria-label={words.configurePeople.inUse(number)}
          onChange={({ target }) => onChange({ ...medium, enabled: target.checked })}
        />
      </label>
    </>
  );
}
