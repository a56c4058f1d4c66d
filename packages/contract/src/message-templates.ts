import { type Static, Type } from 'typebox';
import { UtcDateTime } from './primitives.ts';

/** The media whose messages can have a template. A pager gets a number. */
export const templateMedia = ['Voice', 'Sms', 'Email', 'Push', 'Webhook'] as const;
export type TemplateMedium = (typeof templateMedia)[number];

export const templateLanguages = ['en', 'fr', 'de', 'es'] as const;
export type TemplateLanguage = (typeof templateLanguages)[number];

const Medium = Type.Enum([...templateMedia]);
const Language = Type.Enum([...templateLanguages]);

export const MessageTemplateParams = Type.Object({ medium: Medium, language: Language });
export type MessageTemplateParams = Static<typeof MessageTemplateParams>;

export const MessageTemplateBody = Type.Object(
  {
    subject: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'One line; used by mail, push and webhooks. Empty or absent: the usual subject.',
      }),
    ),
    body: Type.String({
      minLength: 1,
      maxLength: 4_000,
      description: 'The text of the message, with placeholders such as `{station}`.',
    }),
  },
  { title: 'MessageTemplateBody' },
);
export type MessageTemplateBody = Static<typeof MessageTemplateBody>;

export const MessageTemplate = Type.Object(
  {
    medium: Medium,
    language: Language,
    subject: Type.String(),
    body: Type.String(),
    lastChange: UtcDateTime,
  },
  { title: 'MessageTemplate' },
);
export type MessageTemplate = Static<typeof MessageTemplate>;

export const MessageTemplates = Type.Object(
  {
    items: Type.Array(MessageTemplate),
    placeholders: Type.Array(Type.String(), { description: 'The placeholders that a template can use.' }),
  },
  { title: 'MessageTemplates' },
);
