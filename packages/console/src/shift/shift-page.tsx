import { getRouteApi } from '@tanstack/react-router';
import type { ShiftNote, ShiftSummary } from '@tocsin/contract';
import { useEffect, useState } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { StaleBar } from '../alarms/list/list-bars.tsx';
import { lastSignOut } from '../services/last-sign-out.ts';
import { useMeta } from '../services/queries.ts';
import { reasonOf } from '../services/reason-of.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { OpenSection, openCount, ReturnedSection, TakenSection } from './alarm-sections.tsx';
import { CalledPeople, FailedCalls, OnDuty } from './call-sections.tsx';
import { FiguresRow } from './figures-row.tsx';
import { handOverOf, lastSignature, notesIn } from './hand-over.ts';
import { HandOverPanel } from './hand-over-panel.tsx';
import { MasksSection } from './masks-section.tsx';
import { NotesSection } from './notes-section.tsx';
import { Floods, RosterChanges, Silences } from './other-sections.tsx';
import { SheetHead } from './sheet-head.tsx';
import { type Asked, useNotes, useSummary } from './shift-queries.ts';
import { periodOf } from './shift-search.ts';

const route = getRouteApi('/desk/shift');

/** What happened since somebody was here, and the hand-over from one shift to the next. */
export function ShiftPage() {
  const search = route.useSearch();
  const now = useNow();
  const user = useMeta()?.user;
  const notes = useNotes(now);
  // The begin stays while somebody reads, also when they sign a hand-over on this page.
  const [openedWith, setOpenedWith] = useState<readonly ShiftNote[]>();
  useEffect(() => setOpenedWith((before) => before ?? notes), [notes]);
  if (!user || !notes || !openedWith) return <main className="shiftpage" />;
  const seen = { signed: lastSignature(openedWith, user.id), leftAt: lastSignOut(user.id) };
  const asked = { ...periodOf(search, seen, now), stationId: search.stationId };
  return (
    <main className={asked.to === undefined ? 'shiftpage' : 'shiftpage past'}>
      <Sheet asked={asked} notes={notes} now={now}>
        <SheetHead search={search} asked={asked} now={now} />
      </Sheet>
    </main>
  );
}

type SheetProps = {
  readonly asked: Asked;
  readonly notes: readonly ShiftNote[];
  readonly now: number;
  readonly children: React.ReactNode;
};

function Sheet({ asked, notes, now, children }: SheetProps) {
  const words = useWords();
  const { data: summary, error } = useSummary(asked);
  const { byId } = useAlarms();
  const isPast = asked.to !== undefined;
  const { open } = handOverOf(notes);
  // What is being handed over is beside the sheet already.
  const told = notesIn(notes, asked.from, asked.to ?? now).filter(({ id }) => isPast || id !== open?.id);
  return (
    <>
      <article className="sheet1" tabIndex={-1}>
        <StaleBar />
        {children}
        {error && !summary && (
          <p className="wrong" role="alert">
            {words.actions.failed(words.shift.reading, reasonOf(error))}
          </p>
        )}
        {summary && <Sections summary={summary} asked={asked} notes={told} now={now} />}
      </article>
      {!isPast && (
        <HandOverPanel notes={notes} asked={asked} open={summary ? openCount(summary, byId) : 0} now={now} />
      )}
    </>
  );
}

type SectionsProps = Omit<SheetProps, 'children'> & { readonly summary: ShiftSummary };

function Sections({ summary, asked, notes, now }: SectionsProps) {
  const { stationId } = asked;
  return (
    <>
      <FiguresRow summary={summary} asked={asked} />
      <OpenSection summary={summary} now={now} />
      <TakenSection summary={summary} now={now} />
      <ReturnedSection summary={summary} now={now} />
      <div className="twocol">
        <MasksSection summary={summary} stationId={stationId} now={now} />
        <FailedCalls summary={summary} now={now} />
        <CalledPeople asked={asked} now={now} />
        <Floods asked={asked} now={now} />
        <OnDuty stationId={stationId} now={now} />
        <RosterChanges summary={summary} now={now} />
        <Silences asked={asked} now={now} />
      </div>
      <NotesSection notes={notes} now={now} />
    </>
  );
}
