import { useState } from 'react';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';
import { type ApiCall, curlOf, pathOf } from './curl.ts';
import { Dialog } from './dialog.tsx';

type Props = { readonly call: ApiCall /** What the request has filled. */; readonly of: string };

/** Shows the request that has filled a card, so that an integrator can repeat it. */
export function ApiCallButton({ call, of }: Props) {
  const words = useWords().apiCall;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="apibtn" aria-label={words.of(of)} onClick={() => setIsOpen(true)}>
        <Icon name="code" size={13} />
        <span aria-hidden="true">{words.short}</span>
      </button>
      {isOpen && <ApiCallDialog call={call} of={of} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ApiCallDialog({ call, of, onClose }: Props & { readonly onClose: () => void }) {
  const all = useWords();
  const words = all.apiCall;
  const { basePath } = useServices();
  const [isCopied, setIsCopied] = useState(false);
  const curl = curlOf(call, `${location.origin}${basePath}`);
  const title = (
    <>
      <Icon name="code" size={20} />
      <span>{words.of(of)}</span>
    </>
  );
  const copy = () => void navigator.clipboard.writeText(curl).then(() => setIsCopied(true));
  return (
    <Dialog title={title} kind="wide" onClose={onClose} onSubmit={onClose}>
      <p>{words.lead}</p>
      <div className="api" dir="ltr">
        <p>
          <b>{call.method}</b> {pathOf(call)}
        </p>
        <pre>{curl}</pre>
      </div>
      <div className="dlgact">
        <small>{words.token}</small>
        {/* Browsers let pages without TLS copy nothing. The text can be selected. */}
        {isSecureContext && (
          <Button label={isCopied ? words.copied : words.copy} icon="copy" onClick={copy} />
        )}
        <Button label={all.keys.close} kind="primary" hint="Esc" data-first onClick={onClose} />
      </div>
    </Dialog>
  );
}
