import type { TemplateMedium } from '@tocsin/contract';
import {
  type CallMessage,
  fillTemplate,
  formatInZone,
  type MediumKind,
  type TemplateValues,
} from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { callLanguageOf } from '../port/call-words.ts';
import { cleanBody, cleanSubject } from './clean-for-medium.ts';
import { listTemplates, type TemplateRow } from './message-template.store.ts';
import { type AttemptNames, readAttemptNames } from './template-values.store.ts';

/** The part of an attempt that templates depend on. */
export type TemplatedAttempt = {
  readonly id: number;
  readonly occasion: string;
  readonly medium: { readonly kind: MediumKind };
  readonly language: string;
  readonly priority: number;
  readonly openedAt: Date;
  readonly message: CallMessage;
};

/** The text of a message as its template gives it. An empty subject stands for the usual one. */
export type TemplatedText = { readonly subject: string; readonly text: string };

/**
 * The texts of attempts whose medium and language have a template, by attempt. Only messages about a raised alarm have
 * one: the words of a template, such as "take care", would be wrong when the alarm is over.
 */
export async function templatedTexts(
  transaction: TenantTransaction,
  attempts: readonly TemplatedAttempt[],
): Promise<ReadonlyMap<number, TemplatedText>> {
  const templates = await listTemplates(transaction);
  const matched = attempts.flatMap((attempt) => {
    const template = templateOf(templates, attempt);
    return template ? [{ attempt, template }] : [];
  });
  if (matched.length === 0) return new Map();
  const names = await readAttemptNames(
    transaction,
    matched.map(({ attempt }) => attempt.id),
  );
  return new Map(
    matched.flatMap(({ attempt, template }) => {
      const found = names.get(attempt.id);
      return found ? [[attempt.id, fill(template, valuesOf(attempt, found))] as const] : [];
    }),
  );
}

function templateOf(
  templates: readonly TemplateRow[],
  { occasion, medium, language }: TemplatedAttempt,
): TemplateRow | undefined {
  if (occasion !== 'raised') return undefined;
  const spoken = callLanguageOf(language);
  return templates.find((template) => template.medium === medium.kind && template.language === spoken);
}

function valuesOf(
  { message, priority, openedAt }: TemplatedAttempt,
  { person, name, path, value, dataServer, station, timeZone }: AttemptNames,
): TemplateValues {
  return {
    name,
    path,
    message: message.text,
    shortMessage: message.shortText,
    priority: String(priority),
    value,
    dataServer,
    station,
    time: formatInZone(timeZone, openedAt).slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' '),
    person,
  };
}

/** Cleans the values before they are filled in, and the text of the template with them. */
export function fill(
  { medium, subject, body }: { medium: TemplateMedium; subject: string; body: string },
  values: TemplateValues,
): TemplatedText {
  const clean = (text: string) => cleanBody(medium, text);
  return {
    subject: cleanSubject(fillTemplate(subject, values, cleanSubject)),
    text: clean(fillTemplate(body, values, clean)).trim(),
  };
}
