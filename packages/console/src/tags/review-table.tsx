import { consolePriority } from '@tocsin/contract';
import { useWords } from '../words/use-words.ts';
import type { ChangedMember, ReviewLine } from './change-draft.ts';
import { useScenarios, useTagGroups } from './tag-queries.ts';
import { nameOf } from './tag-tree.ts';

/** What a change replaces, old and new. */
export function ReviewTable({ lines }: { readonly lines: readonly ReviewLine[] }) {
  const words = useWords().tags;
  const name = useNames();
  if (lines.length === 0) return <p className="muted">{words.reviewNone}</p>;
  return (
    <div className="review">
      <table className="tbl">
        <thead>
          <tr>
            <th>{words.field}</th>
            <th>{words.today}</th>
            <th>{words.after}</th>
            <th className="n">{words.title}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ member, before, after, count }) => (
            <tr key={`${member} ${before}`}>
              <th scope="row">{words.members[member]}</th>
              <td>
                <span className="old">{name(member, before)}</span>
              </td>
              <td>
                <span className="newv">{name(member, after)}</span>
              </td>
              <td className="n">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A value as people read it. */
function useNames(): (member: ChangedMember, value: number) => string {
  const all = useWords();
  const words = all.tags;
  const groups = useTagGroups();
  const scenarios = useScenarios();
  return (member, value) => {
    switch (member) {
      case 'priority':
        return `${value} ${all.priorities[consolePriority(value)]}`;
      case 'alarmDelay':
        return words.seconds(value);
      case 'tagGroupId': {
        const group = groups.find(({ id }) => id === value);
        return group ? nameOf(group) : words.noGroup;
      }
      case 'scenarioId':
        return scenarios.find(({ id }) => id === value)?.name ?? words.ofGroup;
    }
  };
}
