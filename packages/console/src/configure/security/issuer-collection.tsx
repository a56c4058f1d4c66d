import type { Issuer, IssuerBody } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { defineCollection } from '../core/collection.ts';

/** Outside issuers through which people sign in. */
export const issuers = defineCollection<IssuerBody>({
  path: 'issuers',
  page: 'issuers',
  icon: 'key-round',
  read: 'people:read',
  write: 'people:write',
  fields: {
    name: { kind: 'text', isRequired: true, label: 'issuerName' },
    issuer: { kind: 'text', isRequired: true, maxLength: 512 },
    clientId: { kind: 'text', isRequired: true },
    clientSecret: { kind: 'secret', minLength: 1 },
    scopes: { kind: 'text', isOptional: true, maxLength: 512, label: 'issuerScopes' },
    groupsClaim: { kind: 'text', isOptional: true, maxLength: 128 },
    groupRoles: { kind: 'groupRoles' },
    createUsers: { kind: 'toggle', initial: false },
    enabled: { kind: 'toggle', initial: true, label: 'issuerEnabled' },
  },
  columns: ['issuer', 'enabled'],
  help: 'outside-log-ins',
  isUnused: true,
  first: (item) => <RedirectUri uri={(item as unknown as Issuer).redirectUri} />,
});

/** The address that has to be entered at the issuer. */
function RedirectUri({ uri: given }: { readonly uri: string }) {
  // A server that does not know its own address gives a path.
  const uri = new URL(given, location.origin).href;
  const words = useWords();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(uri).then(() => setIsCopied(true));
  return (
    <section aria-label={words.securityForms.redirectUri}>
      <h3>
        {words.securityForms.redirectUri}
        <small>{words.securityForms.redirectHint}</small>
      </h3>
      <p className="copied">
        <code dir="ltr">{uri}</code>
        <Button
          label={isCopied ? words.signInSteps.copied : words.signInSteps.copy}
          icon="copy"
          kind="sm"
          onClick={copy}
        />
      </p>
    </section>
  );
}
