import { expect, test } from 'vitest';
import { hoistSchemas } from './hoist-schemas.ts';

const answering = (schema: object) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});

test('a schema with a title is written once and referenced, inside other schemas too', () => {
  const pump = { title: 'Pump', type: 'object', properties: { title: { type: 'string' } } };
  const document = hoistSchemas({
    paths: {
      '/pump': { get: answering(pump) },
      '/pumps': { get: answering({ title: 'Pumps', type: 'array', items: pump }) },
    },
    components: { securitySchemes: {} },
  });
  expect(document).toEqual({
    paths: {
      '/pump': { get: answering({ $ref: '#/components/schemas/Pump' }) },
      '/pumps': { get: answering({ $ref: '#/components/schemas/Pumps' }) },
    },
    components: {
      securitySchemes: {},
      schemas: {
        Pump: pump,
        Pumps: { title: 'Pumps', type: 'array', items: { $ref: '#/components/schemas/Pump' } },
      },
    },
  });
});

test('two different schemas cannot share a title', () => {
  const one = answering({ title: 'Pump', type: 'object' });
  const other = answering({ title: 'Pump', type: 'string' });
  expect(() => hoistSchemas({ paths: { '/one': { get: one }, '/other': { get: other } } })).toThrow(
    /title Pump/,
  );
});
