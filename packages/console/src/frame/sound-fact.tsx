import { useSilenceOfOthers, useSound } from '../sound/sound-context.tsx';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';

/** Whether the horn of this desk can sound; a click arms it. */
export function SoundFact() {
  const words = useWords().top;
  const { isArmed, silencedUntil, arm } = useSound();
  const now = useNow();
  if (!isArmed)
    return (
      <button type="button" className="fact sound alertfact" onClick={arm}>
        <Icon name="volume-x" />
        <span>
          <b>{words.soundBlocked}</b>
          <small>{words.soundBlockedHint}</small>
        </span>
      </button>
    );
  const isSilenced = silencedUntil !== undefined && silencedUntil > now;
  return (
    <span className="fact sound">
      <Icon name={isSilenced ? 'bell-off' : 'volume-2'} />
      <span>
        <b>{isSilenced ? words.soundSilenced : words.soundArmed}</b>
        <small>{isSilenced ? <Again at={silencedUntil} /> : <Scope />}</small>
      </span>
    </span>
  );
}

/** When a silenced horn sounds again. */
function Again({ at }: { readonly at: number }) {
  const words = useWords();
  const now = useNow();
  return Number.isFinite(at) ? words.top.soundAgainIn(shortDuration(at - now)) : words.horn.untilNew;
}

/** Who has silenced another desk; else what sounds here. */
function Scope() {
  const words = useWords();
  const { priorities } = useSound();
  const others = useSilenceOfOthers();
  if (others) return words.horn.silencedBy(others.user, others.desk);
  const [highest] = priorities;
  const lowest = priorities.at(-1);
  if (highest === undefined || lowest === undefined) return words.top.soundNone;
  return highest === lowest ? words.horn.onlyPriority(highest) : words.top.soundScope(highest, lowest);
}
