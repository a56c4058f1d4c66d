import { Views } from '../alarms/filters/views.tsx';
import { StaleBar } from '../alarms/list/list-bars.tsx';
import { AllQuiet } from './all-quiet.tsx';

/** The proof on its own page, whether or not there are alarms. */
export function QuietPage() {
  return (
    <main className="work wide">
      <div className="listcol quietcol">
        <Views />
        <StaleBar />
        <AllQuiet />
      </div>
    </main>
  );
}
