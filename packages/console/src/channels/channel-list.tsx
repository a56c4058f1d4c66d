import type { Channel, ChannelHealth, ChannelKind } from '@tocsin/contract';
import { mediumName } from '../alarm-page/describe-step.ts';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { iconOfMedium } from './medium-icon.ts';

type Props = {
  readonly channels: readonly Channel[];
  readonly kinds: readonly ChannelKind[];
  readonly health: ReadonlyMap<number, ChannelHealth>;
  readonly chosenId: number | undefined;
  readonly mayWrite: boolean;
  readonly onChoose: (id: number) => void;
  readonly onAdd: (medium: Channel['medium']) => void;
};

const byOrder = (one: Channel, other: Channel) => one.priority - other.priority || one.id - other.id;

/** The channels of each medium in the order in which they are tried. */
export function ChannelList(props: Props) {
  const { channels } = props;
  const media = [...new Set(channels.map(({ medium }) => medium))];
  return media.map((medium) => <MediumCard key={medium} medium={medium} {...props} />);
}

function MediumCard({
  medium,
  channels,
  mayWrite,
  onAdd,
  ...rest
}: Props & { readonly medium: Channel['medium'] }) {
  const all = useWords();
  const words = all.channels;
  const name = mediumName(medium, all);
  const own = channels.filter((channel) => channel.medium === medium).toSorted(byOrder);
  return (
    <section className="card flush" aria-label={name}>
      <header className="hb">
        <Icon name={iconOfMedium(medium)} />
        <h2 className="cap">{name}</h2>
        <span className="fill" />
        {mayWrite && (
          <Button
            label={words.addShort}
            icon="plus"
            kind="sm ghost"
            aria-label={words.add(name)}
            onClick={() => onAdd(medium)}
          />
        )}
      </header>
      <table className="tbl rows edge fixed chtable">
        <colgroup>
          <col className="c-order" />
          <col />
          <col className="c-health" />
        </colgroup>
        <thead className="vh">
          <tr>
            <th>{words.order}</th>
            <th>{words.channel}</th>
            <th>{words.health}</th>
          </tr>
        </thead>
        <tbody>
          {own.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} {...rest} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = Pick<Props, 'kinds' | 'health' | 'chosenId' | 'onChoose'> & { readonly channel: Channel };

function ChannelRow({ channel, kinds, health, chosenId, onChoose }: RowProps) {
  const { id, name, priority } = channel;
  const isChosen = id === chosenId;
  return (
    <tr className={isChosen ? 'tallr sel' : 'tallr'} data-channel={id}>
      <td>
        <span className="ordn">{priority}</span>
      </td>
      <th className="nm2" scope="row">
        <button type="button" className="rowbtn" aria-pressed={isChosen} onClick={() => onChoose(id)}>
          <b>{name}</b>
          <small>{kinds.find(({ kind }) => kind === channel.kind)?.title ?? channel.kind}</small>
        </button>
      </th>
      <td>
        <HealthMark channel={channel} health={health.get(id)} />
      </td>
    </tr>
  );
}

type MarkProps = { readonly channel: Channel; readonly health: ChannelHealth | undefined };

const marks = { works: 'm-good', failing: 'm-part', down: 'm-bad', unknown: 'm-off' } as const;

function HealthMark({ channel, health }: MarkProps) {
  const words = useWords().channels;
  const time = useSiteTime();
  const now = useNow();
  const { state = 'unknown', reason = '', workedTime } = health ?? {};
  const texts = {
    works: () => words.works(workedTime === undefined ? '' : time.when(Date.parse(`${workedTime}Z`), now)),
    failing: () => words.failing(reason),
    down: () => words.down(reason),
    unknown: () => words.unknown,
  };
  return (
    <span className={`mk ${channel.enabled ? marks[state] : 'm-off'}`}>
      <i />
      <span>
        {channel.enabled ? texts[state]() : words.off}
        {health && (
          <small className="counts">{words.counts(String(health.sent), String(health.failed))}</small>
        )}
      </span>
    </span>
  );
}
