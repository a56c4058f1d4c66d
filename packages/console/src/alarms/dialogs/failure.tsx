import type { Actions } from '../actions/use-actions.ts';

/** Why the action of a dialog was not done. The dialog stays open, so nothing that was typed is lost. */
export function Failure({ actions: { failure } }: { readonly actions: Actions }) {
  if (failure === undefined) return null;
  return (
    <p className="wrong" role="alert">
      {failure}
    </p>
  );
}
