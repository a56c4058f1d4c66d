import { Outlet } from '@tanstack/react-router';
import { WaitsBar } from '../approvals/waits-bar.tsx';
import { FrameKeys } from '../keys/frame-keys.tsx';
import { SingleKeysProvider } from '../keys/single-keys.tsx';
import { useKeptFocus } from '../keys/use-kept-focus.ts';
import { SoundProvider } from '../sound/sound-context.tsx';
import { Announcer } from './announcer.tsx';
import { Band } from './band.tsx';
import { FailedReads } from './failed-reads.tsx';
import { LiveData } from './live-data.tsx';
import { Rail } from './rail.tsx';
import { TabTitle } from './tab-title.tsx';
import { TopBar } from './top-bar.tsx';
import { useAppliedSettings } from './use-applied-settings.ts';

/** What surrounds each page of the desk. */
export function Frame() {
  useAppliedSettings();
  useKeptFocus();
  return (
    <LiveData>
      <SoundProvider>
        <SingleKeysProvider>
          <TabTitle />
          <Announcer />
          <div className="app">
            <Rail />
            <TopBar />
            <Band />
            <Outlet />
            <FrameKeys />
            <FailedReads />
            <WaitsBar />
          </div>
        </SingleKeysProvider>
      </SoundProvider>
    </LiveData>
  );
}
