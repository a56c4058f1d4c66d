import type { CallGroup } from '@tocsin/contract';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Item } from '../core/collection.ts';
import { CallPreviewSection } from '../scenarios/call-preview.tsx';

type Props = { readonly item: Item; readonly isChanged: boolean };

/** The teams and the roster, which have a page of their own, and who would be called. */
export function GroupMore({ item, isChanged }: Props) {
  const words = useWords().configureGroup;
  const { basePath } = useServices();
  const { teams, roster } = item as unknown as CallGroup;
  return (
    <>
      <section aria-label={words.roster}>
        <h3>{words.roster}</h3>
        <p className="muted">
          {teams.length === 0
            ? words.noTeams
            : words.teams(teams.map(({ name }) => name).join(', '), String(roster.slots.length))}
        </p>
        <p>
          <a className="lnk" href={`${basePath}/roster?group=${item.id}`}>
            <Icon name="calendar-days" size={14} /> {words.openRoster}
          </a>
        </p>
      </section>
      {isChanged ? (
        <section>
          <p className="muted">{words.saveFirst}</p>
        </section>
      ) : (
        <CallPreviewSection key={String(item['lastChange'])} request={{ callGroupId: item.id }} />
      )}
    </>
  );
}
