import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { useFileNames } from './guidance-queries.ts';

type Props = {
  readonly files: readonly string[];
  readonly origin: string;
  readonly onChange: (files: readonly string[]) => void;
};

/** Files of the media library that help, such as a drawing. */
export function FileField({ files, origin, onChange }: Props) {
  const words = useWords();
  const others = useFileNames().filter((name) => !files.includes(name));
  return (
    <div className="fld">
      <span>
        <span>{words.alarm.files}</span> <em>{origin}</em>
      </span>
      {files.length > 0 && (
        <ul className="chosenfiles">
          {files.map((name) => (
            <li key={name}>
              <span>{name}</span>
              <button
                type="button"
                className="btn sm icon ghost"
                aria-label={words.guidance.removeFile(name)}
                onClick={() => onChange(files.filter((each) => each !== name))}
              >
                <Icon name="x" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <span className="input">
        <select
          aria-label={words.guidance.addFile}
          value=""
          disabled={others.length === 0}
          onChange={({ target }) => onChange([...files, target.value])}
        >
          <option value="">{others.length === 0 ? words.guidance.noFiles : words.guidance.addFile}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
