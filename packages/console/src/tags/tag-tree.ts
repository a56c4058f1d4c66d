import type { TagGroup } from '@tocsin/contract';

/** A tag group with its depth in the tree. */
export type TreeNode = { readonly group: TagGroup; readonly depth: number };

export const nameOf = ({ name, localizedName }: Pick<TagGroup, 'name' | 'localizedName'>): string =>
  localizedName === '' ? name : localizedName;

/** The groups in the order of a tree: each is followed by its sub-groups. One whose parent is not visible is at the top. */
export function treeOf(groups: readonly TagGroup[]): readonly TreeNode[] {
  const ids = new Set(groups.map(({ id }) => id));
  const parentOf = ({ parentId }: TagGroup) => (ids.has(parentId) ? parentId : 0);
  const nodes: TreeNode[] = [];
  const addBelow = (parentId: number, depth: number) => {
    const own = groups.filter((group) => parentOf(group) === parentId);
    for (const group of own.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))) {
      nodes.push({ group, depth });
      addBelow(group.id, depth + 1);
    }
  };
  addBelow(0, 0);
  return nodes;
}
