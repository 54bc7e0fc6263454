import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { Project } from '../project/project.ts'
import { type Network, networks } from './registry-node.ts'

/** Reads settings of a project, and where there is none of the environment; a blank one is none. */
export const settingOf =
  ({ env }: Pick<CommandIo, 'env'>, project: Project | undefined) =>
  (variable: string): string | undefined =>
    project ? project.setting(variable) : env[variable] || undefined

/**
 * The network that a command is for: its flag, else NETWORK, else `devnet`.
 *
 * @throws `configuration_invalid` when NETWORK is none
 */
export const networkOf = (
  flag: Network | undefined,
  io: Pick<CommandIo, 'env'>,
  project: Project | undefined,
): Network => {
  const text = flag ?? settingOf(io, project)('NETWORK') ?? 'devnet'
  const network = networks.find(name => name === text)
  if (network !== undefined) return network
  throw cliErrors.configuration_invalid('NETWORK is none of the networks.', `Set it to one of ${networks.join(', ')}.`)
}
