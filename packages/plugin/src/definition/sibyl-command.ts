/** Returns the `sibyl` of a project, by its package manager. */
export const projectSibyl = (manager: string): string => (manager === 'npm' ? 'npx sibyl' : `${manager} sibyl`)

/** Returns the package manager that runs this process, if any. */
export const callingManager = ({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): string | undefined =>
  /^(npm|pnpm|yarn)\//.exec(agent)?.[1]

/**
 * Returns the command `sibyl` that works where this process runs: `npx sibyl` or `pnpm sibyl` in a project,
 * `npx -y pnpm@12 sibyl` in a clone.
 *
 * @param otherwise The command without a package manager, or in another script of a clone.
 */
export const sibylCommand = (env: NodeJS.ProcessEnv, otherwise: string): string => {
  if (env.npm_lifecycle_script?.includes('scripts/launch.mjs')) {
    return /^(sibyl|start|dev)$/.test(env.npm_lifecycle_event ?? '') ? 'npx -y pnpm@12 sibyl' : otherwise
  }
  const manager = callingManager(env)
  return manager === undefined ? otherwise : projectSibyl(manager)
}
