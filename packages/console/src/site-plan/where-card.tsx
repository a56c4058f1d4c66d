import type { AlarmDetail, AlarmPlace } from '@tocsin/contract';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { Card } from '../frame/card.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { shownBeacons } from './beacons.ts';
import { PlanPicture } from './plan-picture.tsx';
import { placeCall, usePlace, usePlan } from './plan-queries.ts';

type Location = AlarmDetail['location'];
type Props = { readonly row: AlarmRow; readonly location: Location; readonly version: string };

/** The site plan, and the zone, position and beacons that the alarm came with; nothing if there is neither. */
export function WhereCard({ row, location, version }: Props) {
  const words = useWords();
  const place = usePlace(row.alarm.id, version);
  const hasPlan = place?.x !== undefined && place.y !== undefined;
  const facts = factsOf(location);
  if (!hasPlan && !facts) return null;
  const note = [location?.zone, place?.label, place?.plan].find((text) => text !== undefined && text !== '');
  return (
    <Card title={words.alarm.where} note={note} kind="rel where" call={placeCall(row.alarm.id)}>
      {hasPlan && <OnPlan row={row} place={place} location={location} />}
      {facts && <LocationFacts location={facts} />}
    </Card>
  );
}

type OnPlanProps = { readonly row: AlarmRow; readonly place: AlarmPlace; readonly location: Location };

function OnPlan({ row, place, location }: OnPlanProps) {
  const words = useWords().sitePlan;
  const plan = usePlan(place.planId);
  const at = { x: place.x ?? 0, y: place.y ?? 0 };
  // The symbol of the alarm stands for the beacon that has placed it.
  const beacons = shownBeacons(location, plan?.positions ?? []).filter(
    ({ x, y }) => x !== at.x || y !== at.y,
  );
  return (
    <div className="in">
      <PlanPicture
        place={place}
        at={at}
        beacons={beacons}
        rule={place.rule === undefined ? '' : words.rules[place.rule]}
      >
        <AlarmSymbol priority={row.priority} state={row.state} size={22} />
      </PlanPicture>
    </div>
  );
}

/** The location if it says more than the zone, which is beside the title. */
function factsOf(location: Location): NonNullable<Location> | undefined {
  if (!location) return undefined;
  const { latitude, longitude, beaconList = [], zone = '' } = location;
  const hasPosition = latitude !== undefined && longitude !== undefined;
  return hasPosition || beaconList.length > 0 || zone !== '' ? location : undefined;
}

function LocationFacts({ location }: { readonly location: NonNullable<Location> }) {
  const words = useWords().alarm;
  const time = useSiteTime();
  const now = useNow();
  const { latitude, longitude, horizontalAccuracy, beaconList = [] } = location;
  return (
    <ul className="in duty">
      {latitude !== undefined && longitude !== undefined && (
        <li>
          <span>{words.position}</span>
          <span dir="ltr">
            {latitude.toFixed(5)}, {longitude.toFixed(5)}
            {horizontalAccuracy !== undefined && ` ± ${Math.round(horizontalAccuracy)} m`}
          </span>
        </li>
      )}
      {beaconList.map(({ id = '', name = '', date }) => (
        <li key={`${id} ${name}`}>
          <span>{words.beacon}</span>
          <span>
            {name === '' ? id : name}
            {typeof date === 'string' && `, ${time.when(Date.parse(date), now)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
