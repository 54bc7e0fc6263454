/** Returns whether a value is an object. `@sibyl/protocol` has the same, and would add zod to the page. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
