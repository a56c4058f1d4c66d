/** The part of mailparser that is used here; the package has no types of its own. */
declare module 'mailparser' {
  type Address = { readonly address?: string | undefined; readonly group?: readonly Address[] | undefined };
  type AddressHeader = { readonly value: readonly Address[] };

  export type ParsedMail = {
    readonly from?: AddressHeader | undefined;
    readonly to?: AddressHeader | readonly AddressHeader[] | undefined;
    readonly cc?: AddressHeader | readonly AddressHeader[] | undefined;
    readonly text?: string | undefined;
    readonly headerLines: readonly { readonly key: string; readonly line: string }[];
  };

  export function simpleParser(
    source: Buffer,
    options: {
      readonly skipTextToHtml: boolean;
      readonly skipImageLinks: boolean;
      readonly skipTextLinks: boolean;
      readonly maxHtmlLengthToParse: number;
    },
  ): Promise<ParsedMail>;
}
