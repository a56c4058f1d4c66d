import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { Conflict } from './conflict.tsx';
import { EditorFields } from './editor-fields.tsx';
import { useLevels } from './guidance-queries.ts';
import { LevelChain } from './level-chain.tsx';
import { deciding, inheritedFrom, isSame, type Level, type Levels } from './levels.ts';
import { type Editor, useEditor } from './use-editor.ts';
import { Versions } from './versions.tsx';

type Props = { readonly alarmId: number; readonly onClose: () => void };

/** Writes what to do, for the tag of an alarm or for the levels above it. */
export function GuidanceEditor({ alarmId, onClose }: Props) {
  const levels = useLevels(alarmId);
  const [chosen, setChosen] = useState<Level>();
  // Who opens the editor wants to change what they have read.
  const level = chosen ?? (levels && (deciding(levels) ?? levels.at(-1)));
  if (!levels || !level) return null;
  return (
    <Form
      key={`${level.object} ${level.id}`}
      levels={levels}
      level={level}
      onChoose={setChosen}
      onClose={onClose}
    />
  );
}

type FormProps = {
  readonly levels: Levels;
  readonly level: Level;
  readonly onChoose: (level: Level) => void;
  readonly onClose: () => void;
};

function Form({ levels, level, onChoose, onClose }: FormProps) {
  const words = useWords().guidance;
  const editor = useEditor(levels, level, onClose);
  const [isLeaving, setIsLeaving] = useState(false);
  // A text that was typed is not lost by one key.
  const close = () => (editor.changed.length > 0 && !isLeaving ? setIsLeaving(true) : onClose());
  const choose = (next: Level) => !isSame(next, level) && onChoose(next);
  const title = (
    <>
      <Icon name="pencil" size={20} />
      <span>{words.title}</span>
    </>
  );
  return (
    <Dialog title={title} kind="tall" onClose={close} onSubmit={() => editor.canSave && void editor.save()}>
      <LevelChain levels={levels} level={level} isLocked={editor.changed.length > 0} onChoose={choose} />
      <Standing levels={levels} level={level} />
      <EditorFields levels={levels} level={level} editor={editor} />
      <Versions level={level} onUse={editor.use} />
      {editor.theirs && <Conflict theirs={editor.theirs} editor={editor} />}
      {editor.failure !== undefined && (
        <p className="wrong" role="alert">
          {editor.failure}
        </p>
      )}
      <Foot editor={editor} levels={levels} level={level} isLeaving={isLeaving} onClose={close} />
    </Dialog>
  );
}

type LevelProps = { readonly levels: Levels; readonly level: Level };

/** Whether the level has a text of its own, and what saving one means. */
function Standing({ levels, level }: LevelProps) {
  const words = useWords().guidance;
  const from = inheritedFrom(levels, level);
  if (level.own.guidance)
    return <p>{words.own(level.name, level.own.version ?? 1, level.own.author ?? '')}</p>;
  return <p>{from ? words.inherits(level.name, from.name) : words.nothing(level.name)}</p>;
}

type FootProps = LevelProps & {
  readonly editor: Editor;
  readonly isLeaving: boolean;
  readonly onClose: () => void;
};

function Foot({ editor, levels, level, isLeaving, onClose }: FootProps) {
  const all = useWords();
  const words = all.guidance;
  const from = inheritedFrom(levels, level);
  return (
    <div className="dlgact">
      {isLeaving ? (
        <small role="status">{words.leaving}</small>
      ) : (
        level.own.guidance && (
          <Button
            label={from ? words.deleteTo(from.name) : words.deleteAll}
            icon="trash-2"
            kind="ghost start"
            onClick={() => void editor.remove()}
          />
        )
      )}
      <Button
        label={isLeaving ? words.discard : all.actions.cancel}
        kind="ghost"
        hint="Esc"
        onClick={onClose}
      />
      {!editor.theirs && (
        <Button
          label={words.save(editor.nextVersion)}
          kind="primary"
          type="submit"
          disabled={!editor.canSave}
        />
      )}
    </div>
  );
}
