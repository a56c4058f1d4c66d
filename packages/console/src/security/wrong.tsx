/** Why a step failed. It stays until the next try. */
export function Wrong({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="wrong" role="alert">
      {text}
    </p>
  );
}
