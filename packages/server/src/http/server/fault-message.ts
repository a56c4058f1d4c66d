import type { TSchema } from 'typebox';

/** A fault found by TypeBox. */
export type SchemaFault = { keyword: string; schemaPath: string; message: string; params?: object };

/** Describes the expected value in words: lists the allowed values, and describes a format instead of showing its pattern. */
export function faultMessage({ keyword, schemaPath, params, message }: SchemaFault, schema: TSchema): string {
  if (keyword === 'enum') return `must be one of ${allowedValues(params).join(', ')}`;
  if (keyword !== 'pattern') return message;
  const { description } = schemaAt(schema, schemaPath);
  return description === undefined
    ? 'does not have the right form'
    : `must be ${description.replace(/\.$/, '')}`;
}

function allowedValues(params: object | undefined): string[] {
  const { allowedValues: values = [] } = (params ?? {}) as { allowedValues?: unknown[] };
  return [...new Set(values.map((value) => String(value).trim()))];
}

/** The part of the schema at a path such as `#/properties/roster/properties/slots`. */
function schemaAt(schema: TSchema, path: string): { description?: string } {
  let part: unknown = schema;
  for (const name of path.split('/').slice(1)) part = (part as Record<string, unknown> | undefined)?.[name];
  return part ?? {};
}
