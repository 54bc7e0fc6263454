/** Measured numbers: by group, such as `lines`, and by name, such as `packages/core`. */
export type Measurements = Readonly<Record<string, Readonly<Record<string, number>>>>
