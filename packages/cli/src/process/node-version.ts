/** The oldest supported Node of this command, as in `engines` of its package.json. */
export const oldestNode = '22.13'

/** The oldest Node that runs the TypeScript of a project, as in `engines` of its package.json. */
export const oldestNodeOfProjects = '22.18'

/**
 * Returns an error for a Node that is too old, before newer syntax is loaded.
 *
 * @param version Such as 20.20.2.
 * @param needs The program and its minimum version, by default `sibyl`.
 * @returns undefined if the version is supported
 */
export const oldNode = (
  version: string,
  needs: { readonly what: string; readonly oldest: string } = { what: 'sibyl', oldest: oldestNode },
): { readonly message: string; readonly remedy: string } | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = needs.oldest.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  const message = `This is Node ${version}; ${needs.what} needs ${needs.oldest} or later.`
  return { message, remedy: 'Install a current version (https://nodejs.org), or select one with your version manager.' }
}
