import { memo } from 'react';
import { AlarmSymbol } from '../../symbols/alarm-symbol.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { shortDuration } from '../../time/durations.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { type AlarmRow, titleOf } from '../alarm-row.ts';
import { BeingCalled } from '../being-called.tsx';
import { TimeToRespond } from '../time-to-respond.tsx';
import type { Picked } from './use-list.ts';

type Props = {
  readonly row: AlarmRow;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isFirstOut: boolean;
  /** Whether the next row has another priority. */
  readonly isLast: boolean;
  readonly onPick: (id: number, how: Picked) => void;
};

/** One alarm of the list. */
export const AlarmListRow = memo(function AlarmListRow(props: Props) {
  const { row, index, top, isSelected, isFocused, isFirstOut, isLast, onPick } = props;
  const { alarm, priority, state } = row;
  const words = useWords();
  const classes = ['row', `is-${state}`, isLast && 'last', isSelected && 'sel', isFocused && 'focus'];
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      role="row"
      id={`alarm-${alarm.id}`}
      data-alarm={alarm.id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onPick(alarm.id, 'focus')}
      onDoubleClick={() => onPick(alarm.id, 'open')}
    >
      <span
        role="gridcell"
        className="c-sel"
        onClick={(event) => {
          event.stopPropagation();
          onPick(alarm.id, 'toggle');
        }}
      >
        <span className="box">{isSelected && <Icon name="check" size={12} />}</span>
      </span>
      <span role="gridcell" className="c-p">
        <AlarmSymbol priority={priority} state={state} />
        <span className="w">{words.priorities[priority]}</span>
      </span>
      <StateCell row={row} />
      <PlantCells row={row} isFirstOut={isFirstOut} />
    </div>
  );
});

/** State, time in it and time of the raise: the cells that count with the clock. */
function StateCell({ row }: { readonly row: AlarmRow }) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const until = row.context?.maskedUntil;
  const isTimed = row.state === 'mask' && until !== undefined;
  return (
    <>
      <span role="gridcell" className="c-st">
        {isTimed ? words.list.until(time.until(Date.parse(until), now)) : words.states[row.state]}
      </span>
      <span role="gridcell" className="c-t num">
        {shortDuration(now - row.since)}
      </span>
      <span role="gridcell" className="c-at num">
        {time.when(row.raisedAt, now)}
      </span>
    </>
  );
}

/** Message, value, tag and area: what the plant says. Then who is called, and the time that is left. */
function PlantCells({ row, isFirstOut }: Pick<Props, 'row' | 'isFirstOut'>) {
  const words = useWords().flood;
  const { alarm, context } = row;
  return (
    <>
      <span role="gridcell" className="c-msg" title={alarm.message}>
        {titleOf(alarm)}
        {isFirstOut && <span className="flag">{words.firstOut}</span>}
        {alarm.comment !== '' && (
          <span className="note">
            <Icon name="message-square" size={12} />
            {alarm.comment}
          </span>
        )}
      </span>
      <span role="gridcell" className="c-val num">
        {alarm.value}
      </span>
      <span role="gridcell" className="c-tag" dir="ltr" title={alarm.fullPath}>
        {alarm.path}
      </span>
      <span role="gridcell" className="c-area">
        {context?.area === '' ? context.station : context?.area}
      </span>
      <span role="gridcell" className="c-who">
        <BeingCalled row={row} />
      </span>
      <span role="gridcell" className="c-ttr">
        <TimeToRespond row={row} />
      </span>
    </>
  );
}
