import type { ChannelKind, ChannelTestResult, Medium } from '@tocsin/contract';
import { useState } from 'react';
import { useKinds } from '../channels/channel-queries.ts';
import { iconOfMedium } from '../channels/medium-icon.ts';
import { type Field, fieldsOf, settingsOf, shownSettings, type Values } from '../channels/schema-fields.ts';
import { SettingsFields } from '../channels/settings-fields.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { addMedia } from './people-step.tsx';
import { Stage, TextField } from './stage.tsx';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

/** Media that the address of a person suits without further steps of theirs. */
const offered: readonly string[] = ['Voice', 'Sms', 'Email'];

/** Telephones first, because a mail wakes nobody. */
function offeredKinds(kinds: readonly ChannelKind[]): readonly ChannelKind[] {
  const rank = ({ media }: ChannelKind) => offered.indexOf(media[0] ?? '');
  return kinds.filter((kind) => rank(kind) >= 0).toSorted((one, other) => rank(one) - rank(other));
}

/** Chooses a way out of the building, saves it and tries it. */
export function ChannelStep({ path, installation }: Props) {
  const words = useWords().setUpPath;
  const kinds = offeredKinds(useKinds() ?? []);
  const [chosen, setChosen] = useState<ChannelKind>();
  const [name, setName] = useState('');
  const [values, setValues] = useState<Values>({});
  const channel = useSavedChannel(path, installation);
  const fields = chosen ? fieldsOf(chosen) : [];
  const choose = (kind: ChannelKind) => {
    setChosen(kind);
    setName(kind.title);
    setValues({});
    channel.forget();
  };
  const go = () => {
    if (channel.result?.works) path.finish();
    else if (chosen) void channel.saveAndTest(chosen, name, settingsOf(fields, values));
  };
  return (
    <Stage
      path={path}
      name="channel"
      go={channel.result?.works ? words.steps.channel.next : words.steps.channel.go}
      isReady={chosen !== undefined}
      hint={channel.result?.works ? '' : words.channelHint}
      onGo={go}
    >
      <div className="kinds">
        {kinds.map((kind) => (
          <button
            key={kind.kind}
            type="button"
            className="kind"
            aria-pressed={kind.kind === chosen?.kind}
            onClick={() => choose(kind)}
          >
            <b>
              <Icon name={iconOfMedium(kind.media[0] ?? '')} size={16} />
              {kind.title}
            </b>
            <small>{kind.description}</small>
          </button>
        ))}
      </div>
      {chosen && (
        <>
          <div className="form2">
            <TextField label={words.channelName} value={name} onChange={setName} isRequired />
            <Form fields={fields} values={values} onChange={setValues} />
          </div>
          <TestResult result={channel.result} address={channel.address} />
        </>
      )}
    </Stage>
  );
}

type FormProps = {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** The settings that a channel needs; the others have good defaults and fold away. */
function Form({ fields, values, onChange }: FormProps) {
  const words = useWords().setUpPath;
  const isMain = ({ isRequired, type, name }: Field) => isRequired || type === 'secret' || name === 'user';
  const change = (name: string, value: string) => onChange({ ...values, [name]: value });
  const more = fields.filter((field) => !isMain(field));
  return (
    <>
      <SettingsFields fields={fields.filter(isMain)} values={values} onChange={change} />
      {more.length > 0 && (
        <details className="span2">
          <summary>{words.moreSettings(more.length)}</summary>
          <div className="form2">
            <SettingsFields fields={more} values={values} onChange={change} />
          </div>
        </details>
      )}
    </>
  );
}

type ResultProps = { readonly result: ChannelTestResult | undefined; readonly address: string };

function TestResult({ result, address }: ResultProps) {
  const words = useWords().setUpPath;
  if (!result) return null;
  const end = address.includes('@') ? address : `…${address.slice(-4)}`;
  return (
    <div className="rang" role="status">
      <div>
        <h3>{result.works ? words.testWorks(end) : words.testFails(end)}</h3>
        <p>{result.works ? words.testWorksLead : `${result.outcome}: ${result.reason}`}</p>
      </div>
    </div>
  );
}

/** A channel that was saved is changed by the next try, instead of adding a second one. */
function useSavedChannel(path: Path, { me, channels }: Installation) {
  const [id, setId] = useState<number>();
  const [result, setResult] = useState<ChannelTestResult>();
  const [address, setAddress] = useState('');
  const saveAndTest = (kind: ChannelKind, name: string, settings: Record<string, unknown>) =>
    path.attempt(async () => {
      setResult(undefined);
      const medium = kind.media.find((each) => me.media.some((own) => own.kind === each)) ?? 'Sms';
      const to = addressFor(me.media, medium);
      if (!me.media.some((own) => own.kind === medium))
        await addMedia(path.send, me, [{ kind: medium, address: to }]);
      const body = { name, kind: kind.kind, medium, priority: channels.length + 1, enabled: true, settings };
      const shown = { ...body, settings: shownSettings(fieldsOf(kind), settings) };
      const saved =
        id === undefined
          ? await path.send<number>({ method: 'POST', path: '/channels', body }, { shown })
          : (await path.send({ method: 'PUT', path: `/channels/${id}`, body }, { shown }), id);
      setId(saved);
      setAddress(to);
      const test = { method: 'POST', path: `/channels/${saved}/test`, body: { address: to } } as const;
      setResult(await path.send<ChannelTestResult>(test));
    });
  const forget = () => setResult(undefined);
  return { result, address, saveAndTest, forget };
}

/** A text goes to the number of the telephone. */
function addressFor(media: readonly Medium[], medium: string): string {
  const own = media.find(({ kind }) => kind === medium) ?? media.find(({ kind }) => kind === 'Voice');
  return own?.address ?? media[0]?.address ?? '';
}
