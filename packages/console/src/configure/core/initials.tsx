const initialsOf = (name: string) => {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return `${first.charAt(0)}${last.charAt(0)}`.toUpperCase();
};

/** The first letters of a name in a circle. The name stands beside it. */
export function Initials({ name, kind = '' }: { readonly name: string; readonly kind?: string }) {
  return (
    <span className={`initials ${kind}`.trim()} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
