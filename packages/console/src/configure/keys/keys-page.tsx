import { useNavigate } from '@tanstack/react-router';
import type { ApiKey } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { useMay } from '../../services/use-may.ts';
import { useWords } from '../../words/use-words.ts';
import type { Item } from '../core/collection.ts';
import { ListPane } from '../core/collection-page.tsx';
import { useFieldNames } from '../core/field-row.tsx';
import { useItem } from '../core/item-queries.ts';
import { useTell } from '../core/use-tell.ts';
import type { SettingsSearch } from '../settings-search.ts';
import { KeyState, keys } from './key-collection.tsx';
import { NewKeyPanel } from './new-key-panel.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

/** The API keys, one of them open, or a new one. */
export function KeysPage({ search }: { readonly search: SettingsSearch }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/settings/$page', params: { page: 'keys' }, search: {} });
  const { id } = search;
  return (
    <>
      <ListPane collection={keys} search={search} />
      {id === 'new' && <NewKeyPanel onClose={close} />}
      {typeof id === 'number' && <KeyPanel key={id} id={id} onClose={close} />}
    </>
  );
}

type PanelProps = { readonly id: number; readonly onClose: () => void };

function KeyPanel({ id, onClose }: PanelProps) {
  const words = useWords();
  const mayWrite = useMay().has('keys:write');
  const { data, refetch } = useItem('apikeys', id);
  const [isRevoking, setIsRevoking] = useState(false);
  const item = data?.data;
  if (!item) return <aside className="panel" aria-busy />;
  const apiKey = item as unknown as ApiKey;
  return (
    <aside className="panel cfpanel" aria-label={apiKey.name}>
      <div className="phead">
        <span>
          <h2>{apiKey.name}</h2>
          <p>{words.configureKeys.ownedBy(apiKey.owner === '' ? words.configure.empty : apiKey.owner)}</p>
        </span>
        <span className="fill" />
        <ApiCallButton call={{ method: 'GET', path: `/apikeys/${id}` }} of={apiKey.name} />
        <Button label={words.keys.close} icon="x" kind="sm ghost" onClick={onClose} />
      </div>
      <KeyFacts item={item} />
      <footer>
        <span className="fill" />
        {mayWrite && apiKey.revokedAt === undefined && (
          <Button
            label={words.configureKeys.revoke}
            icon="trash-2"
            kind="sm"
            onClick={() => setIsRevoking(true)}
          />
        )}
      </footer>
      {isRevoking && (
        <RevokeDialog
          apiKey={apiKey}
          onClose={() => setIsRevoking(false)}
          onRevoked={() => {
            setIsRevoking(false);
            void refetch();
          }}
        />
      )}
    </aside>
  );
}

const shownFields = Object.keys(keys.fields).filter((name) => name !== 'neverExpires' && name !== 'name');

function KeyFacts({ item }: { readonly item: Item }) {
  const words = useWords().configureKeys;
  const fieldName = useFieldNames();
  const tell = useTell(keys);
  return (
    <div className="scroll" tabIndex={-1}>
      <section>
        <p>
          <KeyState apiKey={item as unknown as ApiKey} />
        </p>
        <dl className="kv">
          {shownFields.map((name) => (
            <div key={name}>
              <dt>{fieldName(name)}</dt>
              <dd>{tell(name, item[name])}</dd>
            </div>
          ))}
        </dl>
        <p className="muted">{words.cannotChange}</p>
      </section>
    </div>
  );
}
