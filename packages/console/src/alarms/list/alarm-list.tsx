import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { keyOf } from '../../keys/key-of.ts';
import { useSingleKeys } from '../../keys/single-keys.tsx';
import { useConsoleSettings } from '../../services/console-settings.ts';
import { useWords } from '../../words/use-words.ts';
import type { AlarmRow } from '../alarm-row.ts';
import { AlarmListRow } from './alarm-list-row.tsx';
import { HeadRow } from './head-row.tsx';
import { steps } from './list-keys.ts';
import { useIsNarrow } from './use-is-narrow.ts';
import { useKeptPlace } from './use-kept-place.ts';
import type { Picked } from './use-list.ts';

type Props = {
  readonly rows: readonly AlarmRow[];
  readonly focused: number | undefined;
  readonly selected: ReadonlySet<number>;
  readonly onPick: (id: number, how: Picked) => void;
  readonly onSelectAll: () => void;
  /** Keys of the actions; the list handles those that move. */
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onReading: (isReading: boolean) => void;
  /** Set by the list: the rows that are on the screen now. */
  readonly visible: RefObject<() => readonly AlarmRow[]>;
  /** The alarm that came first, in a list in order of arrival. */
  readonly firstOut?: number | undefined;
};

/** The row of column heads stays on top of the list while it scrolls; a phone shows cards without heads. */
const headHeight = 26;
const cardHeight = 64;

/** Somebody reads while the pointer or the focus is in the list. A list that goes away is not read any more. */
function useReading(scroller: RefObject<HTMLElement | null>, onReading: (isReading: boolean) => void) {
  const [isPointer, setIsPointer] = useState(false);
  const [isFocus, setIsFocus] = useState(false);
  const isReading = isPointer || isFocus;
  useKeptPlace(scroller, isReading);
  useEffect(() => onReading(isReading), [isReading, onReading]);
  useEffect(() => () => onReading(false), [onReading]);
  return {
    onPointerEnter: () => setIsPointer(true),
    onPointerLeave: () => setIsPointer(false),
    onFocus: () => setIsFocus(true),
    onBlur: () => setIsFocus(false),
  };
}

type Keys = Pick<Props, 'rows' | 'focused' | 'onPick' | 'onKey'> & {
  readonly scrollTo: (index: number) => void;
};

/** Moves the focus with the keyboard; hands all other keys on. */
function useListKeys({ rows, focused, onPick, onKey, scrollTo }: Keys): (event: KeyboardEvent) => void {
  const isSingle = useSingleKeys();
  const move = (to: number, extend: boolean) => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const id = rows[index]?.alarm.id;
    if (id === undefined) return;
    if (extend) onPick(id, 'toggle');
    onPick(id, 'focus');
    scrollTo(index);
  };
  return (event: KeyboardEvent) => {
    const key = keyOf(event.nativeEvent, isSingle);
    const at = rows.findIndex(({ alarm }) => alarm.id === focused);
    const step = key === undefined ? undefined : steps[key];
    if (step !== undefined) move(at + step, event.shiftKey);
    else if (key === 'Home') move(0, false);
    else if (key === 'End') move(rows.length - 1, false);
    else if (key === ' ' && focused !== undefined) onPick(focused, 'toggle');
    else if (key === 'Enter' && focused !== undefined) onPick(focused, 'open');
    else return onKey(event);
    event.preventDefault();
  };
}

/** Only the rows in view are in the page, so 5,000 alarms cost as much as 30. */
function useRowsInView({ rows, visible }: Pick<Props, 'rows' | 'visible'>) {
  const isNarrow = useIsNarrow();
  const density = useConsoleSettings()?.density ?? 28;
  const rowHeight = isNarrow ? cardHeight : density;
  const head = isNarrow ? 0 : headHeight;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: head,
    scrollPaddingStart: head,
  });
  useEffect(() => virtual.measure(), [rowHeight, virtual]);
  useEffect(() => {
    visible.current = () => {
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
      const first = Math.ceil(scrollTop / rowHeight);
      return rows.slice(first, Math.max(first, Math.floor((scrollTop + clientHeight - head) / rowHeight)));
    };
  }, [visible, rows, rowHeight, head]);
  return { scroller, virtual, head, height: rows.length * rowHeight };
}

/** The list of alarms. */
export function AlarmList(props: Props) {
  const { rows, focused, selected, onPick, onSelectAll, onKey, onReading, visible, firstOut } = props;
  const words = useWords().list;
  const { scroller, virtual, head, height } = useRowsInView({ rows, visible });
  const readingEvents = useReading(scroller, onReading);
  const scrollTo = (index: number) => virtual.scrollToIndex(index);
  const onKeyDown = useListKeys({ rows, focused, onPick, onKey, scrollTo });
  return (
    <div
      role="grid"
      className="listgrid"
      ref={scroller}
      aria-label={words.label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable="true"
      tabIndex={0}
      {...(focused !== undefined && { 'aria-activedescendant': `alarm-${focused}` })}
      onKeyDown={onKeyDown}
      {...readingEvents}
    >
      <HeadRow
        onSelectAll={onSelectAll}
        isAll={rows.length > 0 && selected.size === rows.length}
        isByArrival={firstOut !== undefined}
      />
      <div className="rows" role="rowgroup" style={{ height }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <ShownRow
            key={rows[index]?.alarm.id ?? index}
            index={index}
            top={start - head}
            {...{ rows, focused, selected, onPick, firstOut }}
          />
        ))}
      </div>
    </div>
  );
}

type ShownProps = Pick<Props, 'rows' | 'focused' | 'selected' | 'onPick' | 'firstOut'> & {
  readonly index: number;
  readonly top: number;
};

function ShownRow({ rows, index, top, focused, selected, onPick, firstOut }: ShownProps) {
  const row = rows[index];
  const next = rows[index + 1];
  if (!row) return null;
  return (
    <AlarmListRow
      row={row}
      index={index}
      top={top}
      isSelected={selected.has(row.alarm.id)}
      isFocused={focused === row.alarm.id}
      isFirstOut={firstOut === row.alarm.id}
      isLast={next !== undefined && next.priority !== row.priority}
      onPick={onPick}
    />
  );
}
