import { toggleTheme, useTheme } from '../frame/theme.ts';
import { Icon } from '../symbols/icon.tsx';
import {
  type Language,
  languageNames,
  languages,
  setLanguage,
  useLanguage,
  useWords,
} from '../words/use-words.ts';

/** Theme and language, before anybody has signed in. */
export function DoorFoot() {
  const words = useWords().signIn;
  const theme = useTheme();
  const language = useLanguage();
  return (
    <footer className="doorfoot">
      <span className="fill" />
      <button type="button" className="btn sm ghost" onClick={toggleTheme}>
        <Icon name="moon" size={14} />
        <span>{theme === 'dark' ? words.light : words.dark}</span>
      </button>
      <label className="chip">
        <span>{words.language}</span>
        <select value={language} onChange={({ target }) => void setLanguage(target.value as Language)}>
          {languages.map((each) => (
            <option key={each} value={each}>
              {languageNames[each]}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={12} />
      </label>
    </footer>
  );
}
