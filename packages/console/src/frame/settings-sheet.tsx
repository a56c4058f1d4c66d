import type { ConsoleSettings } from '@tocsin/contract';
import { useState } from 'react';
import { useConsoleSettings, useSaveConsoleSettings } from '../services/console-settings.ts';
import { reasonOf } from '../services/reason-of.ts';
import { deskName, setDeskName } from '../sound/desk-name.ts';
import { Icon } from '../symbols/icon.tsx';
import { browserLanguage, languageNames, languages, setLanguage, useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Segments } from './segments.tsx';
import { SoundChoices } from './sound-choices.tsx';
import { applyTheme, type Theme, useTheme } from './theme.ts';

type SheetProps = { readonly onClose: () => void };

/** How the user wants the console. Nothing changes before it is saved. */
export function SettingsSheet({ onClose }: SheetProps) {
  const settings = useConsoleSettings();
  return settings && <Sheet settings={settings} onClose={onClose} />;
}

function Sheet({ settings, onClose }: SheetProps & { readonly settings: ConsoleSettings }) {
  const all = useWords();
  const words = all.settings;
  const save = useSaveConsoleSettings();
  const [theme, setTheme] = useState<Theme>(useTheme());
  const [draft, setDraft] = useState<Partial<ConsoleSettings>>({});
  const [desk, setDesk] = useState(deskName());
  const [failure, setFailure] = useState<string>();
  const submit = async () => {
    try {
      await save(draft);
      applyTheme(theme);
      setDeskName(desk);
      if (draft.language === 'auto') await setLanguage(browserLanguage());
      onClose();
    } catch (error) {
      setFailure(all.actions.failed(words.go, reasonOf(error)));
    }
  };
  const title = (
    <>
      <Icon name="settings" size={20} />
      <span>{words.title}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void submit()}>
      <Choices draft={{ ...settings, ...draft }} onChange={(change) => setDraft({ ...draft, ...change })} />
      <Segments
        label={words.theme}
        hint={words.desk}
        choices={(['light', 'dark'] as const).map((each) => [each, words.themes[each]])}
        value={theme}
        onChange={setTheme}
      />
      <label className="fld">
        <span>
          <span>{all.moreSettings.desk}</span> <em>{all.moreSettings.deskHint}</em>
        </span>
        <span className="input">
          <input value={desk} maxLength={64} onChange={({ target }) => setDesk(target.value)} />
        </span>
      </label>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.go} kind="primary" type="submit" />
      </div>
    </Dialog>
  );
}

type ChoicesProps = {
  readonly draft: ConsoleSettings;
  readonly onChange: (change: Partial<ConsoleSettings>) => void;
};

function Choices({ draft, onChange }: ChoicesProps) {
  const { settings: words, moreSettings: more } = useWords();
  return (
    <>
      <Segments
        label={words.language}
        hint={words.yours}
        choices={[
          ['auto', words.languageAuto],
          ...languages.map((each) => [each, languageNames[each]] as const),
        ]}
        value={draft.language}
        onChange={(language) => onChange({ language })}
      />
      <Segments
        label={words.rowHeight}
        choices={([24, 28, 36] as const).map((height) => [height, `${words.rowHeights[height]}, ${height}`])}
        value={draft.density}
        onChange={(density) => onChange({ density })}
      />
      <Segments
        label={words.symbols}
        hint={words.symbolsHint}
        choices={[
          [false, words.flash],
          [true, words.steady],
        ]}
        value={draft.steady}
        onChange={(steady) => onChange({ steady })}
      />
      <Segments
        label={words.zone}
        choices={(['site', 'browser'] as const).map((zone) => [zone, words.zones[zone]])}
        value={draft.zone}
        onChange={(zone) => onChange({ zone })}
      />
      <Segments
        label={more.singleKeys}
        hint={more.singleKeysHint}
        choices={[
          [true, more.singleKeysOn],
          [false, more.singleKeysOff],
        ]}
        value={draft.singleKeys}
        onChange={(singleKeys) => onChange({ singleKeys })}
      />
      <SoundChoices sound={draft.sound} onChange={(sound) => onChange({ sound })} />
    </>
  );
}
