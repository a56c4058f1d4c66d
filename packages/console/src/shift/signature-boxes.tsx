import type { ShiftNote } from '@tocsin/contract';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';

type Signature = ShiftNote['outgoing'];
type Props = {
  readonly from: { readonly name: string; readonly signature: Signature };
  readonly to: { readonly name: string; readonly signature: Signature };
  readonly now: number;
};

/** Two boxes with names: solid when signed, dashed while one waits. */
export function SignatureBoxes({ from, to, now }: Props) {
  const words = useWords().shift;
  return (
    <div className="handto">
      <Box side={words.fromSide} {...from} now={now} />
      <Icon name="arrow-right" size={20} />
      <Box side={words.toSide} {...to} now={now} />
    </div>
  );
}

type BoxProps = {
  readonly side: string;
  readonly name: string;
  readonly signature: Signature;
  readonly now: number;
};

function Box({ side, name, signature, now }: BoxProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  return (
    <div className={signature ? '' : 'wait'}>
      <small>{side}</small>
      <b>{signature?.user ?? name}</b>
      {signature ? (
        <span className="sig">
          <Icon name="check" size={13} />
          <span>{words.signed(time.when(Date.parse(signature.time), now))}</span>
        </span>
      ) : (
        <span className="sig muted">{words.signsHere}</span>
      )}
    </div>
  );
}
