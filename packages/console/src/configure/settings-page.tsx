import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMeta } from '../services/queries.ts';
import { useWords } from '../words/use-words.ts';
import { AuditPage } from './audit/audit-page.tsx';
import { collections } from './collections.tsx';
import { CommandsPage } from './commands/commands-page.tsx';
import { CollectionPage } from './core/collection-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { DirectoryPage } from './security/directory-page.tsx';
import { SignInRulesPage } from './security/sign-in-rules-page.tsx';
import { needOf, SettingsNav } from './settings-nav.tsx';
import type { SettingsSearch } from './settings-search.ts';

/** Pages that are not a list of configured objects like the others. */
const ownPages: Readonly<Record<string, (props: { readonly search: SettingsSearch }) => ReactNode>> = {
  keys: KeysPage,
  audit: AuditPage,
  commands: CommandsPage,
  signInRules: SignInRulesPage,
  directory: DirectoryPage,
};

const route = getRouteApi('/desk/settings/$page');

/** The settings: their pages at the left, then a list, then the open object. */
export function SettingsPage() {
  const words = useWords().configure;
  const { page } = route.useParams();
  const search = route.useSearch();
  const isOpen = search.id !== undefined;
  const isWide = isOpen && collections.some((each) => each.page === page && each.isWide);
  const kind = `setpage cf cf-${page}${isOpen ? ' open' : ' nopanel'}${isWide ? ' wide' : ''}`;
  return (
    <main className={kind}>
      {/* On a narrow screen the open object takes the place of the list and its heading. */}
      {isOpen && <h1 className="vh">{words.settings}</h1>}
      <SettingsNav page={page} />
      <Content page={page} search={search} />
    </main>
  );
}

function Content({ page, search }: { readonly page: string; readonly search: SettingsSearch }) {
  const words = useWords().configure;
  const permissions = useMeta()?.user.permissions;
  const need = needOf(page);
  if (!permissions) return null;
  if (need === undefined || !permissions.includes(need))
    return (
      <section className="pane" aria-label={words.settings}>
        <h1>{words.settings}</h1>
        <p role="alert">{need === undefined ? words.noSuchPage(page) : words.mayNotRead(need)}</p>
      </section>
    );
  const Own = ownPages[page];
  if (Own) return <Own search={search} />;
  const collection = collections.find((each) => each.page === page);
  return collection && <CollectionPage collection={collection} search={search} />;
}
