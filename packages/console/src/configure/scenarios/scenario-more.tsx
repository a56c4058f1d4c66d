import type { Scenario } from '@tocsin/contract';
import { useWords } from '../../words/use-words.ts';
import type { Item, ItemChanges } from '../core/collection.ts';
import { useUses } from '../core/item-queries.ts';
import { UseList } from '../core/use-list.tsx';
import { CallPreviewSection } from './call-preview.tsx';

type Action = Scenario['alarmActions'][number];

/** The calls of the ladder, without rungs that name nobody yet. */
const callsOf = (actions: readonly Action[]) =>
  actions.flatMap(({ type, id = 0 }) =>
    (type === 'CallGroup' || type === 'CallUser') && id > 0 ? [{ type, id }] : [],
  );

/** Who would be called by the ladder as it is shown, saved or not, and what follows it. */
export function ScenarioMore({ item, changes }: { readonly item: Item; readonly changes: ItemChanges }) {
  const words = useWords().configureScenario;
  const actions = callsOf((changes.draft['alarmActions'] ?? []) as readonly Action[]);
  return (
    <>
      {actions.length > 0 && <CallPreviewSection request={{ actions }} hasChart />}
      {/* Only those who may change it may ask who uses it. */}
      {changes.mayWrite && <FollowedBy id={item.id} title={words.usedBy} />}
    </>
  );
}

function FollowedBy({ id, title }: { readonly id: number; readonly title: string }) {
  const words = useWords().configureScenario;
  const uses = useUses('scenarios', id);
  if (!uses) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {uses.items.length === 0 ? (
        <p className="muted">{words.notUsed}</p>
      ) : (
        <UseList uses={uses.items} onOpen={() => undefined} />
      )}
    </section>
  );
}
