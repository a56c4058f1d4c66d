import { type ApiKey, type ApiKeyBody, roles } from '@tocsin/contract';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { defineCollection } from '../core/collection.ts';

/** API keys: they are made and revoked, never changed. */
export const keys = defineCollection<ApiKeyBody>({
  path: 'apikeys',
  page: 'keys',
  icon: 'key-round',
  read: 'keys:read',
  write: 'keys:write',
  fields: {
    name: { kind: 'text', isRequired: true },
    role: { kind: 'choice', choices: roles, initial: 'machine' },
    stationIds: { kind: 'references', of: 'stations', none: 'allStations' },
    dataServerIds: { kind: 'references', of: 'dataservers', none: 'allServers' },
    pathPrefixes: { kind: 'lines' },
    scopes: { kind: 'lines' },
    expiresAt: { kind: 'moment' },
    neverExpires: { kind: 'toggle', initial: false },
    replacesId: { kind: 'reference', of: 'apikeys', none: 'none' },
  },
  columns: ['role', 'stationIds'],
  moreColumns: [{ label: 'keyState', cell: (item) => <KeyState apiKey={item as unknown as ApiKey} /> }],
  help: 'security',
});

/** Whether a key works, and when it was last used. */
export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const words = useWords().configureKeys;
  const time = useSiteTime();
  const now = useNow();
  const { revokedAt, expiresAt, lastUsedAt } = apiKey;
  const when = (text: string) => time.when(Date.parse(text), now);
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  const [mark, text] =
    revokedAt !== undefined
      ? ['m-off', words.revoked(when(revokedAt))]
      : isExpired
        ? ['m-bad', words.expired(when(expiresAt))]
        : lastUsedAt === undefined
          ? ['m-part', words.neverUsed]
          : ['m-good', words.used(when(lastUsedAt))];
  return (
    <span className={`mk ${mark}`}>
      <i />
      <span>{text}</span>
    </span>
  );
}
