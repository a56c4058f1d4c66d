import type { Channel, ChannelKind } from '@tocsin/contract';
import { useState } from 'react';
import { SettingsNav } from '../configure/settings-nav.tsx';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { useMay } from '../services/use-may.ts';
import { useWords } from '../words/use-words.ts';
import { draftOf, newDraft } from './channel-draft.ts';
import { ChannelList } from './channel-list.tsx';
import { ChannelPanel } from './channel-panel.tsx';
import { channelsCall, useChannel, useChannelHealth, useChannels, useKinds } from './channel-queries.ts';
import { NewChannel } from './new-channel.tsx';
import { TestAll } from './test-all.tsx';

/** How messages leave the building: the channels, whether they work, and a form for each. */
export function ChannelsPage() {
  const may = useMay();
  const words = useWords().channels;
  if (may.size === 0) return <main className="setpage ch" />;
  if (may.has('channels:read')) return <Channels mayWrite={may.has('channels:write')} />;
  return (
    <main className="setpage ch nopanel">
      <section className="pane">
        <header className="whead">
          <h1>{words.title}</h1>
        </header>
        <p>{words.refusedRead}</p>
      </section>
    </main>
  );
}

/** What the panel shows: a channel, or a new one of a kind. */
type Shown =
  | { readonly id: number }
  | { readonly kind: ChannelKind; readonly medium: Channel['medium'] | undefined };

function Channels({ mayWrite }: { readonly mayWrite: boolean }) {
  const words = useWords().channels;
  const channels = useChannels();
  const kinds = useKinds();
  const health = useChannelHealth();
  const [shown, setShown] = useState<Shown>();
  const [adding, setAdding] = useState<{ medium: Channel['medium'] | undefined }>();
  if (!channels || !kinds) return <main className="setpage ch" />;
  const chosenId = shown && 'id' in shown ? shown.id : undefined;
  const choose = (kind: ChannelKind) => {
    setShown({ kind, medium: adding?.medium });
    setAdding(undefined);
  };
  return (
    <main className={shown ? 'setpage ch own' : 'setpage ch own nopanel'}>
      <SettingsNav page="channels" />
      <section className="pane">
        <header className="whead">
          <div>
            <h1>{words.title}</h1>
            <p className="muted">{words.lead}</p>
          </div>
          <span className="fill" />
          <ApiCallButton call={channelsCall} of={words.title} />
          <TestAll channels={channels} mayWrite={mayWrite} />
          <Button
            label={words.newChannel}
            icon="plus"
            kind="sm"
            disabled={!mayWrite}
            onClick={() => setAdding({ medium: undefined })}
          />
        </header>
        {!mayWrite && <p className="note">{words.refusedWrite}</p>}
        {channels.length === 0 && <p>{words.none}</p>}
        <ChannelList
          channels={channels}
          kinds={kinds}
          health={health}
          chosenId={chosenId}
          mayWrite={mayWrite}
          onChoose={(id) => setShown({ id })}
          onAdd={(medium) => setAdding({ medium })}
        />
      </section>
      {shown && <Panel shown={shown} kinds={kinds} channels={channels} onShow={setShown} />}
      {adding && (
        <NewChannel
          kinds={kinds}
          medium={adding.medium}
          onChoose={choose}
          onClose={() => setAdding(undefined)}
        />
      )}
    </main>
  );
}

type PanelProps = {
  readonly shown: Shown;
  readonly kinds: readonly ChannelKind[];
  readonly channels: readonly Channel[];
  readonly onShow: (shown: Shown | undefined) => void;
};

function Panel({ shown, kinds, channels, onShow }: PanelProps) {
  const saved = useChannel('id' in shown ? shown.id : undefined);
  const onSaved = (id: number | undefined) => onShow(id === undefined ? undefined : { id });
  const common = { channels, onSaved, onClose: () => onShow(undefined) };
  if ('kind' in shown) {
    const { kind, medium } = shown;
    const draft = newDraft(kind, medium, channels);
    return <ChannelPanel key={`new ${kind.kind}`} kind={kind} draft={draft} saved={undefined} {...common} />;
  }
  const kind = kinds.find((each) => each.kind === saved?.data.kind);
  if (!saved || !kind) return <aside className="panel" />;
  return (
    <ChannelPanel key={shown.id} kind={kind} draft={draftOf(saved.data, kind)} saved={saved} {...common} />
  );
}
