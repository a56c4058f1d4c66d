/** The texts of notices in one language. Written ones use only the GSM alphabet, so that an SMS stays short. */
export type NoticeWords = {
  /** Followed by how to confirm it. */
  readonly test: (name: string) => string;
  readonly code: (code: string) => string;
  /** `digits` are separated, so that they are spoken one by one. */
  readonly spokenCode: (digits: string) => string;
  /** `from` is a time of the clock. */
  readonly reminder: (from: string, group: string) => string;
};

export const englishNotices: NoticeWords = {
  test: (name) => `This is a test of Tocsin for ${name}.`,
  code: (code) => `Your Tocsin code is ${code}.`,
  spokenCode: (digits) => `Your Tocsin code is ${digits}. Once more: ${digits}.`,
  reminder: (from, group) => `You are on call from ${from} (${group}).`,
};

export const frenchNotices: NoticeWords = {
  test: (name) => `Ceci est un test de Tocsin pour ${name}.`,
  code: (code) => `Votre code Tocsin est ${code}.`,
  spokenCode: (digits) => `Votre code Tocsin est ${digits}. Je répète : ${digits}.`,
  reminder: (from, group) => `Votre astreinte commence à ${from} (${group}).`,
};

export const germanNotices: NoticeWords = {
  test: (name) => `Dies ist ein Test von Tocsin für ${name}.`,
  code: (code) => `Ihr Tocsin-Code ist ${code}.`,
  spokenCode: (digits) => `Ihr Tocsin-Code ist ${digits}. Noch einmal: ${digits}.`,
  reminder: (from, group) => `Sie haben Bereitschaft ab ${from} (${group}).`,
};

export const spanishNotices: NoticeWords = {
  test: (name) => `Esta es una prueba de Tocsin para ${name}.`,
  code: (code) => `Su clave de Tocsin es ${code}.`,
  spokenCode: (digits) => `Su clave de Tocsin es ${digits}. Repito: ${digits}.`,
  reminder: (from, group) => `Su guardia empieza a las ${from} (${group}).`,
};
