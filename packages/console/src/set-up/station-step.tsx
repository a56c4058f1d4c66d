import type { Station } from '@tocsin/contract';
import { useState } from 'react';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { Stage, TextField } from './stage.tsx';
import { defaultStation } from './steps.ts';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

/** Names the station of the new installation, and sets its clock. */
export function StationStep({ path, installation: { station } }: Props) {
  const words = useWords().setUpPath;
  const { api } = useServices();
  const [name, setName] = useState(station?.name === defaultStation ? '' : (station?.name ?? ''));
  const [timeZone, setTimeZone] = useState(() => zoneOf(station));
  const save = async () => {
    const isDone = await path.attempt(async () => {
      const body = { name, localizedName: name, timeZone };
      if (!station) {
        await path.send<number>({ method: 'POST', path: '/stations', body });
        return;
      }
      // The version that the server has now: two people may set up a plant at the same time.
      const { etag } = await api.get<Station>(`/stations/${station.id}`);
      await path.send({ method: 'PUT', path: `/stations/${station.id}`, body }, { ifMatch: etag });
    });
    if (isDone) path.finish();
  };
  return (
    <Stage
      path={path}
      name="station"
      go={words.steps.station.go}
      isReady={name.trim() !== ''}
      onGo={() => void save()}
    >
      <div className="form2">
        <TextField
          label={words.stationName}
          value={name}
          onChange={setName}
          hint={words.stationHint}
          isRequired
        />
        <label className="fr">
          <span>{words.timeZone}</span>
          <span className="input sm3">
            <select value={timeZone} onChange={({ target }) => setTimeZone(target.value)}>
              {zones(timeZone).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </select>
          </span>
          <small>{words.timeZoneHint}</small>
        </label>
      </div>
    </Stage>
  );
}

/** A station that nobody has named yet is probably where this browser is. */
function zoneOf(station: Station | undefined): string {
  if (station && station.name !== defaultStation) return station.timeZone;
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const zones = (present: string): readonly string[] => [
  ...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];
