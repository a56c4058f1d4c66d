import { Button } from '../frame/button.tsx';
import { toggleTheme, useTheme } from '../frame/theme.ts';
import { useHealth } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { DutyCard, NoDuty } from './duty-card.tsx';
import { HeldAlarms } from './held-alarms.tsx';
import { OfflineBox } from './offline-box.tsx';
import { usePhone } from './phone-context.tsx';
import { PushCard } from './push-card.tsx';
import { ReachCard } from './reach-card.tsx';
import type { Shift } from './shifts-of.ts';
import { useShifts } from './use-shifts.ts';

const mostShifts = 5;

/** Whether this person is on duty, what they hold, and whether they can be reached. */
export function DutyTab() {
  const words = useWords().phone;
  const { user } = usePhone();
  const now = useNow();
  const duties = useHealth()?.onDuty?.filter(({ people }) => people.some(({ userId }) => userId === user.id));
  const shifts = useShifts(user.id, now);
  const next = shifts?.filter(({ from }) => from > now);
  const shiftOf = (groupId: number) =>
    shifts?.find((one) => one.groupId === groupId && one.from <= now && now < one.to);
  return (
    <main className="mbody">
      <h1 className="vh">{words.tabs.duty}</h1>
      <OfflineBox />
      {duties === undefined && <p className="mnote">{words.dutyUnknown}</p>}
      {duties?.map((duty) => (
        <DutyCard key={duty.callGroupId} duty={duty} shift={shiftOf(duty.callGroupId)} />
      ))}
      {duties?.length === 0 && <NoDuty next={next?.[0]} />}
      <HeldAlarms title={words.hold} />
      <ReachCard />
      <PushCard />
      {next && <NextShifts shifts={next.slice(0, mostShifts)} />}
      <Foot />
    </main>
  );
}

function NextShifts({ shifts }: { readonly shifts: readonly Shift[] }) {
  const words = useWords().phone;
  const time = useSiteTime();
  return (
    <>
      <h2 className="mh">{words.next}</h2>
      {shifts.length === 0 ? (
        <p className="mnote">{words.nextNone}</p>
      ) : (
        <ul className="next">
          {shifts.map(({ groupId, group, from, to }) => (
            <li key={`${groupId} ${from}`}>
              <span>
                <b>{time.date(from)}</b>
                <small>{group}</small>
              </span>
              <span>{words.hours(time.clock(from).slice(0, 5), time.clock(to).slice(0, 5))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Foot() {
  const words = useWords();
  const { session } = useServices();
  const { isOnline } = usePhone();
  const theme = useTheme();
  return (
    <div className="two mfoot">
      <Button
        label={theme === 'dark' ? words.settings.themes.light : words.settings.themes.dark}
        icon="moon"
        kind="huge2 full"
        onClick={toggleTheme}
      />
      <Button
        label={words.top.signOut}
        icon="log-out"
        kind="huge2 full"
        disabled={!isOnline}
        onClick={() => void session.logOut().catch(() => undefined)}
      />
    </div>
  );
}
