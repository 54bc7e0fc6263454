import { cliErrors } from '../errors/cli-errors.ts'
import { parseOracleUrl } from '../oracle/oracle-url.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { Project } from '../project/project.ts'
import { type Network, networks, type RegistryOptions } from './registry-node.ts'

/**
 * Returns the address of the registry of a network from an option or a setting; undefined for the devnet of this
 * computer. An invalid address may contain a password, so errors do not repeat it.
 *
 * @throws `usage_invalid`, `configuration_invalid`
 */
export const registryAddress = (
  network: Network,
  io: Pick<CommandIo, 'env'>,
  { registryUrl, rpcUrl, project }: RegistryOptions,
): string | undefined => {
  const isChain = network !== 'devnet'
  const [flag, flagName, variable] = isChain
    ? ([rpcUrl, '--rpc-url', 'CHAIN_RPC_URL'] as const)
    : ([registryUrl, '--registry-url', 'REGISTRY_URL'] as const)
  const text = flag ?? settingOf(io, project)(variable)
  if (text === undefined) {
    if (!isChain) return undefined
    const message = `The ${network} is a chain, and its RPC address is not set.`
    throw cliErrors.configuration_invalid(message, 'Set CHAIN_RPC_URL, or give --rpc-url <url>.')
  }
  const url = parseOracleUrl(text)
  if (url !== undefined) return url
  const remedy = `Pass an address such as http://localhost:${isChain ? 26657 : 4100}, without a password.`
  if (flag !== undefined) throw cliErrors.usage_invalid(`${flagName} is not the address of a registry.`, remedy)
  throw cliErrors.configuration_invalid(`${variable} is not the address of a registry.`, remedy)
}

/** Reads settings of a project, or of the environment without one; a blank one is unset. */
export const settingOf =
  ({ env }: Pick<CommandIo, 'env'>, project: Project | undefined) =>
  (variable: string): string | undefined =>
    project ? project.setting(variable) : env[variable] || undefined

/**
 * Returns the network of a command: its option, else NETWORK, else `devnet`.
 *
 * @throws `configuration_invalid` when NETWORK is unknown
 */
export const networkOf = (
  flag: Network | undefined,
  io: Pick<CommandIo, 'env'>,
  project: Project | undefined,
): Network => {
  const text = flag ?? settingOf(io, project)('NETWORK') ?? 'devnet'
  const network = networks.find(name => name === text)
  if (network !== undefined) return network
  throw cliErrors.configuration_invalid('NETWORK has an unknown value.', `Set it to one of ${networks.join(', ')}.`)
}
