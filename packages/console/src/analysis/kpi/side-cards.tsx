import type { AlarmKpis, KpiGroup } from '@tocsin/contract';
import type { ReactNode } from 'react';
import { Card } from '../../frame/card.tsx';
import { useWords } from '../../words/use-words.ts';
import { shown } from '../durations.ts';
import { Table } from '../table.tsx';
import { TagLink } from './worst-card.tsx';

type Props = { readonly kpis: AlarmKpis };

const shownGroups = 6;
const shownLines = 5;

export function ResponseCard({ kpis: { groups } }: Props) {
  const words = useWords().kpi;
  return (
    <Card title={words.response} note={words.responseNote}>
      <div className="in">
        <ResponseTable groups={groups.slice(0, shownGroups)} />
        {groups.length > shownGroups && (
          <p className="muted fs12">{words.more(groups.length - shownGroups)}</p>
        )}
      </div>
    </Card>
  );
}

/** Mean times to acknowledge and to repair by tag group, those with the most alarms first. */
export function ResponseTable({ groups }: { readonly groups: readonly KpiGroup[] }) {
  const words = useWords();
  return (
    <Table
      label={words.kpi.response}
      kind="tight"
      columns={[
        { label: words.kpi.group },
        { label: words.analysis.alarms, isNumber: true },
        { label: words.kpi.toAcknowledge, isNumber: true },
        { label: words.kpi.toRepair, isNumber: true },
      ]}
      rows={groups.map(({ tagGroupId, name, alarms, reactionMeanTime, repairMeanTime }) => ({
        key: tagGroupId,
        cells: [name || words.analysis.noGroup, alarms, shown(reactionMeanTime), shown(repairMeanTime)],
      }))}
    />
  );
}

type ListProps = {
  readonly title: string;
  readonly note: string;
  readonly none: string;
  readonly total: number;
  readonly items: readonly { readonly tagId: number; readonly tagName: string; readonly fact: string }[];
};

function TagList({ title, note, none, total, items }: ListProps) {
  const words = useWords().kpi;
  return (
    <Card title={title} note={note}>
      {total === 0 ? (
        <p className="in muted fs12">{none}</p>
      ) : (
        <ul className="in plain">
          {items.slice(0, shownLines).map((tag) => (
            <li key={tag.tagId}>
              <span>
                <TagLink tag={tag} />
              </span>
              <b>{tag.fact}</b>
            </li>
          ))}
          {total > shownLines && <li className="muted">{words.more(total - shownLines)}</li>}
        </ul>
      )}
    </Card>
  );
}

/** Chattering, stale and masked tags. */
export function TagLists({ kpis: { chattering, stale, masked } }: Props): ReactNode {
  const words = useWords().kpi;
  return (
    <>
      <TagList
        title={words.chattering}
        note={words.chatteringNote}
        none={words.chatteringNone}
        total={chattering.total}
        items={chattering.items.map((tag) => ({ ...tag, fact: words.raises(tag.alarms) }))}
      />
      <TagList
        title={words.stale}
        note={words.staleNote}
        none={words.staleNone}
        total={stale.total}
        items={stale.items.map((tag) => ({ ...tag, fact: shown(tag.duration) }))}
      />
      <TagList
        title={words.masked}
        note={words.maskedNote}
        none={words.maskedNone}
        total={masked.total}
        items={masked.items.map((tag) => ({ ...tag, fact: words.maskedBy(tag.user, tag.reason) }))}
      />
    </>
  );
}
