import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../frame/button.tsx';
import { useWords } from '../words/use-words.ts';
import { indexOf, type StepName, stepAfter, stepBefore, stepNames } from './steps.ts';
import type { Path } from './use-path.ts';

type Props = {
  readonly path: Path;
  readonly name: StepName;
  readonly children: ReactNode;
  /** What the main button does; without it the step has none. */
  readonly go?: string | undefined;
  readonly isReady?: boolean;
  readonly hint?: string;
  readonly onGo?: () => void;
};

/** The middle of the page: one step with its form and its buttons. */
export function Stage({ path, name, children, go, isReady = true, hint = '', onGo }: Props) {
  const words = useWords().setUpPath;
  const text = words.steps[name];
  const before = stepBefore(name);
  const title = useRef<HTMLHeadingElement>(null);
  // Who listens to the page hears that the next step has begun.
  useEffect(() => title.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onGo?.();
  };
  return (
    <form className="stage" onSubmit={submit} aria-label={text.title}>
      <header>
        <span className="stepn">{words.stepOf(indexOf(name) + 1, stepNames.length)}</span>
        <h2 ref={title} tabIndex={-1}>
          {text.title}
        </h2>
        <p>{text.lead}</p>
      </header>
      {children}
      {path.failure !== undefined && (
        <p className="wrong" role="alert">
          {words.failed(path.failure)}
        </p>
      )}
      <div className="stageact">
        {before && (
          <Button label={words.back} icon="chevron-left" kind="ghost" onClick={() => path.show(before)} />
        )}
        <span className="fill" />
        {hint !== '' && <span className="muted fs12">{hint}</span>}
        {name !== 'answer' && (
          <Button label={words.skip} kind="ghost" onClick={() => path.show(stepAfter(name))} />
        )}
        {go !== undefined && (
          <Button label={go} kind="primary" type="submit" disabled={!isReady || path.isBusy} />
        )}
      </div>
    </form>
  );
}

type TextFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly note?: string;
  readonly hint?: string;
  readonly type?: string;
  readonly isRequired?: boolean;
};

export function TextField({
  label,
  value,
  onChange,
  note,
  hint,
  type = 'text',
  isRequired = false,
}: TextFieldProps) {
  return (
    <label className="fr">
      <span>
        {label}
        {note !== undefined && <em>{note}</em>}
      </span>
      <span className="input sm3">
        <input
          type={type}
          value={value}
          required={isRequired}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}
