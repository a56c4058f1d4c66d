import { type Static, Type } from 'typebox';

/** What one process of a run may use; prlimit sees to it. Absent: as much as the server itself. */
const Limits = Type.Object(
  {
    memoryMegabytes: Type.Optional(Type.Integer({ minimum: 16, maximum: 1_048_576 })),
    cpuSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    fileMegabytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_048_576 })),
    openFiles: Type.Optional(Type.Integer({ minimum: 8, maximum: 65_536 })),
    /** Of the user, in all its runs together. */
    processes: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_536 })),
  },
  { additionalProperties: false },
);
export type RunLimits = Static<typeof Limits>;

const Path = Type.String({ pattern: '^/[^\\0]*$', maxLength: 4_096 });

/** A program that alarms of a tenant may run, as the list of commands has it. */
export const CommandEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
    tenantId: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
    /** Stations whose alarms may run it; absent: all. */
    stations: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 4_294_967_295 }), { minItems: 1, maxItems: 1_000 }),
    ),
    argv: Type.Array(Type.String({ pattern: '^[^\\0]*$', maxLength: 4_096 }), { minItems: 1, maxItems: 64 }),
    /** The interface has one parameter, so there is one at most. */
    params: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 64 }),
          pattern: Type.String({ minLength: 1, maxLength: 1_024 }),
          max: Type.Integer({ minimum: 1, maximum: 1_024 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1 },
    ),
    timeoutMs: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
    user: Type.Optional(Type.String({ pattern: '^[a-z_][a-z0-9_-]{0,31}$' })),
    cwd: Path,
    maxParallel: Type.Integer({ minimum: 1, maximum: 64 }),
    limits: Type.Optional(Limits),
  },
  { additionalProperties: false },
);
export type CommandEntry = Static<typeof CommandEntry>;
