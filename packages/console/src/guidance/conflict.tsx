import type { Guidance } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { differentParts, type Part } from './draft.ts';
import type { Level } from './levels.ts';
import type { Editor } from './use-editor.ts';

type Props = { readonly theirs: Level; readonly editor: Editor };

/** Somebody else has saved meanwhile: what differs, and the choice between the two texts. */
export function Conflict({ theirs: { own }, editor }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const at = own.time === undefined ? '' : time.when(Date.parse(own.time), now);
  return (
    <section className="conflict" role="alert">
      <h3>
        <Icon name="triangle-alert" size={16} />
        <span>{words.guidance.conflict(own.author ?? '', own.version ?? 1, at)}</span>
      </h3>
      <p>{own.guidance ? words.guidance.conflictLead : words.guidance.conflictDeleted}</p>
      {own.guidance && (
        <dl>
          {differentParts(own.guidance, editor.text).map((part) => (
            <Difference
              key={part}
              name={words.guidance.parts[part]}
              theirs={tell(own.guidance, part, words)}
              mine={tell(editor.text, part, words)}
            />
          ))}
        </dl>
      )}
      <span className="conflictact">
        <Button label={words.guidance.takeTheirs} onClick={editor.takeTheirs} />
        <Button
          label={words.guidance.saveMine(editor.nextVersion)}
          kind="primary"
          onClick={() => void editor.save()}
        />
      </span>
    </section>
  );
}

/** A part as one text. */
function tell(guidance: Guidance | undefined, part: Part, words: Words): string {
  const value = guidance?.[part];
  if (value === undefined || value.toString() === '' || value === 0) return words.guidance.empty;
  if (typeof value === 'number') return words.guidance.inMinutes(value / 60);
  return typeof value === 'string' ? value : value.join('\n');
}

type DifferenceProps = { readonly name: string; readonly theirs: string; readonly mine: string };

function Difference({ name, theirs, mine }: DifferenceProps) {
  const words = useWords().guidance;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <small>{words.theirs}</small>
        <span>{theirs}</span>
      </dd>
      <dd>
        <small>{words.mine}</small>
        <span>{mine}</span>
      </dd>
    </div>
  );
}
