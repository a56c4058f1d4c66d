import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { useMeta } from '../services/queries.ts';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { type Asked, summaryCall } from './shift-queries.ts';
import type { ShiftSearch } from './shift-search.ts';
import { SinceChooser } from './since-chooser.tsx';

type Props = { readonly search: ShiftSearch; readonly asked: Asked; readonly now: number };

/** What the sheet covers, why it begins then, and where that is changed. */
export function SheetHead({ search, asked, now }: Props) {
  const words = useWords().shift;
  const time = useSiteTime();
  const end = asked.to ?? now;
  const minutes = (ms: number) => time.clock(ms).slice(0, 5);
  const day = (ms: number) => `${time.date(ms)} ${minutes(ms)}`;
  const isToday = time.date(asked.from) === time.date(end) || end - asked.from < 86_400_000;
  const title = words.title(isToday ? minutes(asked.from) : day(asked.from));
  return (
    <header className="st">
      <div>
        <h1>{title}</h1>
        <p>
          {words.covers(day(asked.from), day(end), shortDuration(end - asked.from))}{' '}
          {asked.since !== 'chosen' && words.why[asked.since]}
        </p>
        <Printed now={now} />
      </div>
      <span className="fill" />
      <span className="noprint sttools">
        <SinceChooser search={search} period={asked} now={now} />
        <ApiCallButton call={summaryCall(asked)} of={title} />
        <Button label={words.print} icon="printer" kind="sm" onClick={() => print()} />
      </span>
    </header>
  );
}

/** On paper only: of which plant the sheet is, and who has printed it when. */
function Printed({ now }: { readonly now: number }) {
  const words = useWords().shift;
  const time = useSiteTime();
  const meta = useMeta();
  if (!meta) return null;
  const when = `${time.date(now)} ${time.clock(now)}, ${time.offset(now)}`;
  return <p className="printonly">{words.printed(meta.tenant.name, when, meta.user.name)}</p>;
}
