import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { KeyHelp } from '../keys/key-help.tsx';
import { rememberSignOut } from '../services/last-sign-out.ts';
import { useMeta } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { useSharedDesk } from '../services/use-shared-desk.ts';
import { DeskActor, DeskMenu } from '../shared-desk/desk-actor.tsx';
import { Icon } from '../symbols/icon.tsx';
import { currentTime } from '../time/current-time.ts';
import { useWords } from '../words/use-words.ts';
import { SettingsSheet } from './settings-sheet.tsx';
import { toggleTheme, useTheme } from './theme.ts';

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** The user's name; opens the settings, the theme and the way out. */
export function Account() {
  const words = useWords();
  const user = useMeta()?.user;
  const isShared = useSharedDesk().name !== undefined;
  const { session } = useServices();
  const theme = useTheme();
  const [isOpen, setIsOpen] = useState(false);
  const [isSetting, setIsSetting] = useState(false);
  const [isHelp, setIsHelp] = useState(false);
  const open = (show: (isShown: boolean) => void) => () => {
    setIsOpen(false);
    show(true);
  };
  const signOut = () => {
    if (user) rememberSignOut(user.id, currentTime());
    void session.logOut();
  };
  return (
    <span className="account">
      <WhoAmI isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
      {isOpen && (
        <span className="menu">
          {isShared && <DeskMenu onDone={() => setIsOpen(false)} />}
          <Link className="btn sm ghost" to="/account" onClick={() => setIsOpen(false)}>
            <Icon name="user" size={14} />
            <span>{words.account.title}</span>
          </Link>
          <button type="button" className="btn sm ghost" onClick={open(setIsSetting)}>
            <Icon name="settings" size={14} />
            <span>{words.settings.title}</span>
          </button>
          <button type="button" className="btn sm ghost" onClick={open(setIsHelp)}>
            <Icon name="circle-question-mark" size={14} />
            <span>{words.keys.title}</span>
          </button>
          <button type="button" className="btn sm ghost" onClick={toggleTheme}>
            <Icon name="moon" size={14} />
            <span>{theme === 'dark' ? words.signIn.light : words.signIn.dark}</span>
          </button>
          <button type="button" className="btn sm ghost" onClick={signOut}>
            <Icon name="log-out" size={14} />
            <span>{words.top.signOut}</span>
          </button>
        </span>
      )}
      {isHelp && <KeyHelp onClose={() => setIsHelp(false)} />}
      {isSetting && <SettingsSheet onClose={() => setIsSetting(false)} />}
    </span>
  );
}

function WhoAmI({ isOpen, onToggle }: { readonly isOpen: boolean; readonly onToggle: () => void }) {
  const words = useWords();
  const user = useMeta()?.user;
  const isShared = useSharedDesk().name !== undefined;
  return (
    <button
      type="button"
      className="who-am-i"
      // The user's name is its text, once that is read.
      aria-label={user || isShared ? undefined : words.account.title}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {isShared ? <DeskActor /> : <Self name={user?.name ?? ''} role={user?.role ?? ''} />}
    </button>
  );
}

/** The user and their role. */
function Self({ name, role }: { readonly name: string; readonly role: string }) {
  return (
    <>
      <span className="initials">{initials(name)}</span>
      <span>
        <b>{name}</b>
        <small>{role}</small>
      </span>
    </>
  );
}
