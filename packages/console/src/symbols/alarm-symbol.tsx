import type { ConsolePriority } from '@tocsin/contract';
import { useWords } from '../words/use-words.ts';

/** How the state of an alarm is drawn. `none` is an empty count, `over` an alarm of a report. */
export type SymbolState = 'new' | 'ack' | 'rtn' | 'mask' | 'none' | 'over';

type Shape = { body: string; ring: string; inner: string; y: number; size: number };

/** Square, triangle up, triangle down, circle: the priority can be told without colour. */
const shapes: Record<ConsolePriority, Shape> = {
  1: {
    body: 'M2.5 2.5h19v19h-19z',
    ring: 'M-.5-.5h25v25H-.5z',
    inner: 'M5.6 5.6h12.8v12.8H5.6z',
    y: 17.1,
    size: 14.5,
  },
  2: {
    body: 'M12 1.6 23.2 21.6H.8z',
    ring: 'M11-1.800h2L26.900 22.900l-.700 1.200H-2.200l-.700-1.200z',
    inner: 'M12 6.900 18.900 19.200H5.100z',
    y: 19.6,
    size: 12.8,
  },
  3: {
    body: 'M12 22.4 23.200 2.400H.8z',
    ring: 'M11 25.800h2L26.900 1.100l-.700-1.200H-2.200l-.700 1.200z',
    inner: 'M12 17.100 18.900 4.800H5.100z',
    y: 13.4,
    size: 12.8,
  },
  4: {
    body: 'M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z',
    ring: 'M12-1a13 13 0 1 1 0 26 13 13 0 0 1 0-26z',
    inner: 'M12 5.200a6.800 6.800 0 1 1 0 13.600 6.800 6.800 0 0 1 0-13.600z',
    y: 16.9,
    size: 13.5,
  },
};

type Props = {
  readonly priority: ConsolePriority;
  readonly state: SymbolState;
  readonly size?: number;
  /** False where the words beside it say the same. */
  readonly named?: boolean;
};

/** Shape and number say the priority, fill and outline say the state. */
export function AlarmSymbol({ priority, state, size = 20, named = true }: Props) {
  const words = useWords();
  const shape = shapes[priority];
  const isHollow = state === 'rtn' || state === 'over';
  const label = `${words.priorityNumber(priority)} ${words.priorities[priority]}, ${words.states[state]}`;
  return (
    <svg
      className={`sym p${priority} is-${state === 'over' ? 'rtn is-over' : state}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...(named ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {state === 'new' && <path className="ring" d={shape.ring} />}
      <path className="body" d={shape.body} />
      {isHollow && <path className="inner" d={shape.inner} />}
      <text x="12" y={shape.y} fontSize={shape.size}>
        {priority}
      </text>
    </svg>
  );
}
