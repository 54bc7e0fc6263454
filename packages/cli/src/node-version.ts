/** The oldest Node that this command runs on, as `engines` of its package.json has it. */
export const oldestNode = '22.13'

/**
 * Says that a Node is too old, before anything is loaded that it does not know.
 *
 * @param version Such as 20.20.2.
 * @returns undefined where it is not
 */
export const oldNode = (version: string): { readonly message: string; readonly remedy: string } | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  const message = `This is Node ${version}; sibyl needs ${oldestNode} or later.`
  return { message, remedy: 'Install a current one (https://nodejs.org), or choose it with your version manager.' }
}
