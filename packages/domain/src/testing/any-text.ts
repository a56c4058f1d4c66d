import * as fc from 'fast-check';

const codeUnits = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }));

/** Whatever can arrive in a string: control characters, accents, emoji, halves of surrogate pairs. */
export const anyText = fc.array(codeUnits, { maxLength: 20 }).map((units) => String.fromCharCode(...units));
