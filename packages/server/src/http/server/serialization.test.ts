import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { compileSerializer } from './serialization.ts';

const compile = (schema: object) =>
  compileSerializer({ schema, method: 'GET', url: '/alarms', httpStatus: '200' });

test('a schema of an answer is compiled once for all routes and servers of a process', () => {
  const Pump = Type.Object({ name: Type.String(), litres: Type.Integer() });
  expect(compile(Pump)).toBe(compile(Pump));
  expect(compile(Pump)).not.toBe(compile(Type.Object({ name: Type.String() })));
});

test('an answer is written as its schema says, without members that it does not have', () => {
  const Pump = Type.Object({ name: Type.String(), litres: Type.Integer() });
  expect(compile(Pump)({ name: 'P1', litres: 7, secret: 'x' })).toBe('{"name":"P1","litres":7}');
});

test('a schema is compiled for its first answer, so that a server does not start with all of them', () => {
  const broken = compile({ type: 'object', properties: { pump: { $ref: '#/nowhere' } } });
  expect(() => broken({ pump: 1 })).toThrow('nowhere');
});
