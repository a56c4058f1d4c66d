import type { ApiAnswer } from '@tocsin/client';
import type { Channel, ChannelKind } from '@tocsin/contract';
import { useState } from 'react';
import { mediumName } from '../alarm-page/describe-step.ts';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { ChannelConflict } from './channel-conflict.tsx';
import type { ChannelDraft } from './channel-draft.ts';
import { ChannelTest } from './channel-test.tsx';
import { CommonFields } from './common-fields.tsx';
import { DeleteChannel } from './delete-channel.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { type ChannelEditor, useChannelEditor } from './use-channel-editor.ts';

type Props = {
  readonly kind: ChannelKind;
  readonly draft: ChannelDraft;
  readonly saved: ApiAnswer<Channel> | undefined;
  readonly channels: readonly Channel[];
  readonly onSaved: (id: number | undefined) => void;
  readonly onClose: () => void;
};

/** The form of one channel, drawn from the description of its kind. */
export function ChannelPanel({ kind, draft, saved, channels, onSaved, onClose }: Props) {
  const all = useWords();
  const words = all.channels;
  const mayWrite = useMay().has('channels:write');
  const editor = useChannelEditor({ kind, draft, saved, onSaved });
  const name = editor.saved?.data.name ?? words.newChannel;
  return (
    <form
      className="panel"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        // The submit of a dialog over this form reaches it too.
        if (event.target === event.currentTarget) void editor.save();
      }}
    >
      <div className="phead">
        <span>
          <h2>{name}</h2>
          <p>
            {kind.title}, {mediumName(editor.draft.medium, all)}
          </p>
        </span>
        <span className="fill" />
        <button type="button" className="btn sm icon ghost" aria-label={words.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <div className="scroll">
        <section className="frs">
          <p className="muted fs12">{kind.description}</p>
          {!mayWrite && <p className="note">{words.refusedWrite}</p>}
          <CommonFields editor={editor} kind={kind} isDisabled={!mayWrite} />
          <SettingsFields
            fields={editor.fields}
            values={editor.draft.values}
            secretsSet={editor.saved?.data.secretsSet ?? []}
            isDisabled={!mayWrite}
            onChange={editor.setValue}
          />
          {(editor.saved?.data.secretsSet.length ?? 0) > 0 && (
            <p className="muted fs12">{words.needsOther}</p>
          )}
        </section>
        <ChannelConflict editor={editor} kind={kind} />
        {editor.failure !== undefined && (
          <p className="wrong" role="alert">
            {words.failed(editor.failure)}
          </p>
        )}
        {editor.saved && (
          <ChannelTest id={editor.saved.data.id} isChanged={editor.isChanged} mayWrite={mayWrite} />
        )}
      </div>
      <Foot editor={editor} channels={channels} mayWrite={mayWrite} name={name} />
    </form>
  );
}

type FootProps = {
  readonly editor: ChannelEditor;
  readonly channels: readonly Channel[];
  readonly mayWrite: boolean;
  readonly name: string;
};

function Foot({ editor, channels, mayWrite, name }: FootProps) {
  const words = useWords().channels;
  const [isDeleting, setIsDeleting] = useState(false);
  const { saved } = editor;
  const remove = () => {
    setIsDeleting(false);
    void editor.remove();
  };
  return (
    <footer>
      <ApiCallButton call={editor.call} of={name} />
      {saved && (
        <Button
          label={words.remove}
          icon="trash-2"
          kind="sm ghost"
          disabled={!mayWrite}
          onClick={() => setIsDeleting(true)}
        />
      )}
      <span className="fill" />
      <Button label={words.discard} kind="sm ghost" disabled={!editor.isChanged} onClick={editor.discard} />
      <Button
        label={saved ? words.save : words.create}
        kind="sm primary"
        type="submit"
        disabled={!mayWrite || !editor.isChanged || editor.isBusy || editor.theirs !== undefined}
      />
      {isDeleting && saved && (
        <DeleteChannel
          channel={saved.data}
          channels={channels}
          onDelete={remove}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </footer>
  );
}
