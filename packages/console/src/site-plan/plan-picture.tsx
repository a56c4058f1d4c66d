import type { AlarmPlace } from '@tocsin/contract';
import type { ReactNode } from 'react';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useWords } from '../words/use-words.ts';
import type { ShownBeacon } from './beacons.ts';
import { useImage } from './plan-queries.ts';
import { largestScale, type Point } from './plan-view.ts';
import { usePanZoom } from './use-pan-zoom.ts';

/** Pixels, so that a plan on end leaves room for the other cards. */
const mostHeight = 320;

type Props = {
  readonly place: AlarmPlace;
  readonly at: Point;
  readonly beacons: readonly ShownBeacon[];
  /** How the place was found. */
  readonly rule: string;
  /** The symbol of the alarm. */
  readonly children: ReactNode;
};

/** The plan with the alarm and its beacons. It can be drawn larger and moved. */
export function PlanPicture({ place, at, beacons, rule, children }: Props) {
  const words = useWords().sitePlan;
  const url = useImage(place.imageId);
  const { view, zoomIn, zoomOut, showAll, handlers } = usePanZoom(at);
  const ratio = (place.width ?? 16) / (place.height ?? 9);
  const name = words.shows(place.plan ?? '', place.label ?? '');
  return (
    <div className="planbox">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the plan. */}
      <div
        className="planframe"
        role="group"
        aria-label={name}
        tabIndex={0}
        style={{ aspectRatio: ratio, maxWidth: mostHeight * ratio }}
        {...handlers}
      >
        <div
          className={view.scale > 1 ? 'planinner grab' : 'planinner'}
          style={{
            transform: `translate(${100 * view.x}%, ${100 * view.y}%) scale(${view.scale})`,
          }}
        >
          {url !== undefined && <img src={url} alt={name} draggable={false} />}
          {beacons.map(({ id, name: beacon, x, y }) => (
            <Pin key={id} at={{ x, y }} scale={view.scale}>
              <span className="beacon">
                <i />
                <small>{beacon}</small>
              </span>
            </Pin>
          ))}
          <Pin at={at} scale={view.scale}>
            {children}
          </Pin>
        </div>
      </div>
      <span className="plantools">
        <small>{rule}</small>
        <span className="fill" />
        {view.scale > 1 && (
          <button type="button" className="btn sm" onClick={showAll}>
            <span>{words.whole}</span>
          </button>
        )}
        <Tool icon="minus" label={words.smaller} isOff={view.scale === 1} onClick={zoomOut} />
        <Tool icon="plus" label={words.larger} isOff={view.scale === largestScale} onClick={zoomIn} />
      </span>
    </div>
  );
}

type PinProps = { readonly at: Point; readonly scale: number; readonly children: ReactNode };

/** Pins keep their size while the plan grows. */
function Pin({ at, scale, children }: PinProps) {
  return (
    <span
      className="pin"
      style={{
        left: `${100 * at.x}%`,
        top: `${100 * at.y}%`,
        transform: `translate(-50%, -50%) scale(${1 / scale})`,
      }}
    >
      {children}
    </span>
  );
}

type ToolProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
};

function Tool({ icon, label, isOff, onClick }: ToolProps) {
  return (
    <button type="button" className="btn sm icon" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon name={icon} size={14} />
    </button>
  );
}
