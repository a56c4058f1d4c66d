import { useWords } from '../words/use-words.ts';
import type { Part } from './draft.ts';
import { FileField } from './file-field.tsx';
import { inheritedFrom, type Level, type Levels } from './levels.ts';
import { StepFields } from './step-fields.tsx';
import type { Editor } from './use-editor.ts';

type Props = { readonly levels: Levels; readonly level: Level; readonly editor: Editor };

/** Where a part of the text is from: written here, from a level above, or changed just now. */
function useOrigin({ levels, level, editor }: Props): (part: Part) => string {
  const words = useWords().guidance;
  const from = inheritedFrom(levels, level);
  return (part) => {
    if (editor.changed.includes(part)) return words.changed;
    if (level.own.guidance) return words.writtenHere;
    return from ? words.partFrom(from.name) : words.notWritten;
  };
}

export function EditorFields(props: Props) {
  const all = useWords();
  const words = all.guidance;
  const { draft, change } = props.editor;
  const origin = useOrigin(props);
  return (
    <div className="guidefields">
      <StepFields steps={draft.steps} origin={origin('steps')} onChange={(steps) => change({ steps })} />
      <Area
        label={all.panel.cause}
        origin={origin('cause')}
        value={draft.cause}
        onChange={(cause) => change({ cause })}
      />
      <Area
        label={all.panel.consequence}
        origin={origin('consequence')}
        value={draft.consequence}
        onChange={(consequence) => change({ consequence })}
      />
      <Area
        label={words.contacts}
        origin={origin('contacts')}
        value={draft.contacts}
        onChange={(contacts) => change({ contacts })}
      />
      <div className="twofields">
        <label className="fld">
          <span>
            <span>{words.minutes}</span> <em>{origin('respondSeconds')}</em>
          </span>
          <span className="input">
            <input
              type="number"
              min="0"
              max="10080"
              step="any"
              value={draft.minutes}
              onChange={({ target }) => change({ minutes: target.value })}
            />
          </span>
        </label>
        <FileField files={draft.files} origin={origin('files')} onChange={(files) => change({ files })} />
      </div>
    </div>
  );
}

type AreaProps = {
  readonly label: string;
  readonly origin: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
};

function Area({ label, origin, value, onChange }: AreaProps) {
  return (
    <label className="fld">
      <span>
        <span>{label}</span> <em>{origin}</em>
      </span>
      <textarea
        className="area-in"
        rows={2}
        maxLength={2_000}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
