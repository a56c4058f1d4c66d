import type { Guidance } from '@tocsin/contract';
import { Button } from '../frame/button.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { useVersions } from './guidance-queries.ts';
import type { Level } from './levels.ts';

type Props = { readonly level: Level; readonly onUse: (guidance: Guidance) => void };

/** Earlier texts of the level: who wrote them, and when. One of them can be taken into the form. */
export function Versions({ level, onUse }: Props) {
  const words = useWords().guidance;
  const time = useSiteTime();
  const now = useNow();
  const versions = useVersions(level);
  if (versions.length === 0) return null;
  return (
    <details className="versions">
      <summary>{words.versions(versions.length)}</summary>
      <ul>
        {versions.map(({ version, author, time: at, guidance }) => (
          <li key={version}>
            <span>
              <b>{words.version(version)}</b> {guidance ? author : words.deletedBy(author)}
              <small>{guidance?.steps[0] ?? guidance?.cause}</small>
            </span>
            <time>{time.when(Date.parse(at), now)}</time>
            {guidance && <Button label={words.useIt} kind="sm" onClick={() => onUse(guidance)} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
