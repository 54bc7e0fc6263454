/**
 * The name of the capability that a server becomes: lower case, everything but letters and digits as single hyphens.
 *
 * @returns undefined where that gives no name of a capability: 1 to 40 characters, a letter first.
 */
export const serverName = (written: string): string | undefined => {
  const name = written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name.length <= 40 && /^[a-z]/.test(name) ? name : undefined
}
