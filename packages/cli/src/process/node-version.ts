/** The oldest supported Node: the first that runs the TypeScript of a project. `engines` of each package.json says the same. */
export const oldestNode = '22.18'

interface OldNodeContext {
  readonly caller?: keyof typeof fromNpm
  /** Whether the current folder is a project. */
  readonly inProject?: boolean
}

const ownNode = 'give the project its own: npm install --save-dev node@24'
const fromNpm = {
  sibyl: 'take it from npm: npx -y -p node@24 -p @sibyl/cli sibyl',
  'create-sibyl': 'take it from npm: npx -y -p node@24 -p create-sibyl create-sibyl',
} as const

/**
 * Returns an error for a Node that is too old, before newer syntax is loaded.
 *
 * @param version Such as 20.20.2.
 * @returns undefined if the version is supported
 */
export const oldNode = (
  version: string,
  { caller = 'sibyl', inProject = false }: OldNodeContext = {},
): { readonly message: string; readonly remedy: string } | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return {
    message: `This is Node ${version}; sibyl needs ${oldestNode} or later.`,
    remedy: `Install Node 24 (https://nodejs.org, or nvm install 24), or ${inProject ? ownNode : fromNpm[caller]}`,
  }
}
