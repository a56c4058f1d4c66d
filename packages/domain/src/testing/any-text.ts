import * as fc from 'fast-check';

const codeUnits = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }));

/** Strings with control characters, accents, emoji and lone surrogates. */
export const anyText = fc.array(codeUnits, { maxLength: 20 }).map((units) => String.fromCharCode(...units));
