/** Returns the package of a specifier: `zod` of `zod/v4`, `@sibyl/core` of `@sibyl/core/start`. */
export const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
