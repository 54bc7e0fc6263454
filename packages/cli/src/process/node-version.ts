/** The oldest Node that this command runs on, as `engines` of its package.json has it. */
export const oldestNode = '22.13'

/** The oldest Node that runs the TypeScript of a project, as `engines` of its package.json has it. */
export const oldestNodeOfProjects = '22.18'

/**
 * Says that a Node is too old, before anything is loaded that it does not know.
 *
 * @param version Such as 20.20.2.
 * @param needs What needs which version: a command, by default `sibyl`.
 * @returns undefined where it is not
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
