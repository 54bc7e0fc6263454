import type { CommandIo } from '../command-io.ts'
import { parseOracleUrl } from '../commands/oracle-url.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { Network } from './registry-node.ts'
import type { RegistryOptions } from './registry-options.ts'
import { settingOf } from './setting-of.ts'

/**
 * The address that a flag or a setting gives the registry of a network; undefined for the devnet of this computer. What
 * does not parse may hold a password: it is not repeated.
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
    const message = `The ${network} is a chain, and nothing says where its RPC is.`
    throw cliErrors.configuration_invalid(message, 'Set CHAIN_RPC_URL, or give --rpc-url <url>.')
  }
  const url = parseOracleUrl(text)
  if (url !== undefined) return url
  const remedy = `Give one such as http://localhost:${isChain ? 26657 : 4100}, without a password.`
  if (flag !== undefined) throw cliErrors.usage_invalid(`${flagName} is not the address of a registry.`, remedy)
  throw cliErrors.configuration_invalid(`${variable} is not the address of a registry.`, remedy)
}
