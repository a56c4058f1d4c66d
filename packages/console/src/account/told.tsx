/** What came of a change. A failure stays until the next try. */
export function Told({ told }: { readonly told: { text: string; isFailure: boolean } | undefined }) {
  return (
    <p className={told?.isFailure ? 'wrong' : 'done'} role={told?.isFailure ? 'alert' : 'status'}>
      {told?.text}
    </p>
  );
}
