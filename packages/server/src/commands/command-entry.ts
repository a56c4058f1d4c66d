import { type Static, Type } from 'typebox';

/** Resource limits of each process of a run, enforced by prlimit. By default those of the server. */
const Limits = Type.Object(
  {
    memoryMegabytes: Type.Optional(Type.Integer({ minimum: 16, maximum: 1_048_576 })),
    cpuSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    fileMegabytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_048_576 })),
    openFiles: Type.Optional(Type.Integer({ minimum: 8, maximum: 65_536 })),
    /** Counted for the user, over all its runs. */
    processes: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_536 })),
  },
  { additionalProperties: false },
);
export type RunLimits = Static<typeof Limits>;

const Path = Type.String({ pattern: '^/[^\\0]*$', maxLength: 4_096 });

/** An entry of the command list: a program that alarms of a tenant may run. */
export const CommandEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
    tenantId: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
    /** Stations whose alarms may run it; by default all. */
    stations: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 4_294_967_295 }), { minItems: 1, maxItems: 1_000 }),
    ),
    argv: Type.Array(Type.String({ pattern: '^[^\\0]*$', maxLength: 4_096 }), { minItems: 1, maxItems: 64 }),
    /** At most one, because the interface has one parameter. */
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
