import { useWords } from '../../words/use-words.ts';
import { choiceName } from '../core/use-tell.ts';

type Props = {
  readonly label: string;
  readonly choices: readonly string[];
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
};

/** Any of a few, each with a box. The order of the choices is kept. */
export function ChoicesField({ label, choices, value, onChange }: Props) {
  const words = useWords();
  const toggle = (choice: string, isOn: boolean) =>
    onChange(choices.filter((each) => (each === choice ? isOn : value.includes(each))));
  return (
    <ul className="choices" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice}>
          <label className="chk">
            <input
              type="checkbox"
              checked={value.includes(choice)}
              onChange={({ target }) => toggle(choice, target.checked)}
            />
            <span>{choiceName(words, choice)}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
