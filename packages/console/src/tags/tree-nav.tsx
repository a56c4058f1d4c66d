import type { CSSProperties } from 'react';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { nameOf, type TreeNode } from './tag-tree.ts';

type Props = {
  readonly nodes: readonly TreeNode[];
  readonly chosenId: number;
  readonly onChoose: (id: number) => void;
};

export function TreeNav({ nodes, chosenId, onChoose }: Props) {
  const words = useWords().tags;
  return (
    <nav className="tree" aria-label={words.groups}>
      <h2>{words.groups}</h2>
      <Leaf depth={0} name={words.allTags} isChosen={chosenId === 0} onChoose={() => onChoose(0)} />
      {nodes.map(({ group, depth }) => (
        <Leaf
          key={group.id}
          depth={depth}
          name={nameOf(group)}
          isChosen={group.id === chosenId}
          onChoose={() => onChoose(group.id)}
        />
      ))}
      <p className="foot">
        <Icon name="corner-down-right" size={15} />
        <span>{words.groupRule}</span>
      </p>
    </nav>
  );
}

type LeafProps = {
  readonly depth: number;
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function Leaf({ depth, name, isChosen, onChoose }: LeafProps) {
  const indent = { '--d': depth } as CSSProperties;
  return (
    <button
      type="button"
      className="tn1"
      style={indent}
      aria-current={isChosen ? 'true' : undefined}
      onClick={onChoose}
    >
      <span>{name}</span>
    </button>
  );
}
