declare module 'nspell' {
  type Bytes = Uint8Array;
  /** A checker of words after the rules (`aff`) and the words (`dic`) of a dictionary. */
  function nspell(dictionary: { aff: Bytes; dic: Bytes }): { correct(word: string): boolean };
  export = nspell;
}
