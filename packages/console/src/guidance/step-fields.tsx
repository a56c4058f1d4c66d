import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useWords } from '../words/use-words.ts';
import { moveStep } from './draft.ts';

const mostSteps = 20;

type Props = {
  readonly steps: readonly string[];
  readonly origin: string;
  readonly onChange: (steps: readonly string[]) => void;
};

/** The steps in their order. Each can be moved and removed without dragging. */
export function StepFields({ steps, origin, onChange }: Props) {
  const words = useWords().guidance;
  return (
    <fieldset className="fld stepfields">
      <legend>
        <span>{words.steps}</span> <em>{origin}</em>
      </legend>
      <ol>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the order.
          <li key={index}>
            <b aria-hidden="true">{index + 1}</b>
            <textarea
              className="area-in"
              rows={1}
              maxLength={500}
              aria-label={words.step(index + 1)}
              value={step}
              {...(index === 0 && { 'data-first': '' })}
              onChange={({ target }) => onChange(steps.with(index, target.value))}
            />
            <Tool
              icon="arrow-up"
              label={words.up(index + 1)}
              isOff={index === 0}
              onClick={() => onChange(moveStep(steps, index, -1))}
            />
            <Tool
              icon="arrow-down"
              label={words.down(index + 1)}
              isOff={index === steps.length - 1}
              onClick={() => onChange(moveStep(steps, index, 1))}
            />
            <Tool
              icon="x"
              label={words.removeStep(index + 1)}
              isOff={steps.length === 1}
              onClick={() => onChange(steps.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <Button
        label={words.addStep}
        icon="plus"
        kind="sm ghost"
        disabled={steps.length >= mostSteps}
        onClick={() => onChange([...steps, ''])}
      />
    </fieldset>
  );
}

type ToolProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
};

function Tool({ icon, label, isOff, onClick }: ToolProps) {
  return (
    <button type="button" className="btn sm icon ghost" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon name={icon} size={14} />
    </button>
  );
}
