import { useContext } from 'react';
import { useStations } from '../services/queries.ts';
import { ZoneContext } from '../time/site-time.ts';

/** The time zone of figures: of the station, as the server counts, or of the first one. */
export function useZone(stationId: number | undefined): string | undefined {
  const shown = useContext(ZoneContext);
  const stations = useStations();
  const station = stations.find(({ id }) => id === stationId) ?? stations[0];
  return station?.timeZone ?? shown;
}
