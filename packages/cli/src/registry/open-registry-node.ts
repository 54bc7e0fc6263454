import { didText } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { CommandIo } from '../process/command-io.ts'
import { discoverOracle } from './discover-oracle.ts'
import { titleOf } from './plan-registry.ts'
import { registryAddress } from './registry-address.ts'
import type { Network, RegistryNode, RegistryOptions } from './registry-node.ts'

/**
 * Opens the registry of a network. `devnet` is the one at REGISTRY_URL, else that of this computer, which is started if
 * necessary; the latter is also used if REGISTRY_URL has the port of its first start and no oracle responds there.
 * `testnet` and `mainnet` are a chain at CHAIN_RPC_URL, with the first request when it is used.
 *
 * @throws `registry_unavailable`, `devnet_not_started`, `configuration_invalid`, `usage_invalid`
 */
export const openRegistryNode = async (
  network: Network,
  io: CommandIo,
  options: RegistryOptions = {},
): Promise<RegistryNode> => {
  const url = registryAddress(network, io, options)
  if (network !== 'devnet') {
    const { openChainNode } = await import('./chain-node.ts')
    return openChainNode(network, url ?? '', io, options)
  }
  const { isFirstDevnetAddress, openDevnetNode } = await import('./devnet-node.ts')
  if (url === undefined) return openDevnetNode(io, options)
  const found = await discoverOracle(url)
  if (found.kind !== 'oracle' && (await isFirstDevnetAddress(url, io))) return openDevnetNode(io, options)
  return httpNode(url, found)
}

const httpNode = (url: string, found: Awaited<ReturnType<typeof discoverOracle>>): RegistryNode => {
  const remedy =
    'Start it, or use another one: --registry-url, REGISTRY_URL; without one a devnet on this computer is used.'
  if (found.kind === 'silent') {
    throw cliErrors.registry_unavailable(`No registry responds at ${url} (${cleanLine(found.reason)}).`, remedy)
  }
  if (found.kind === 'foreign') {
    throw cliErrors.registry_unavailable(`The server at ${url} is not a registry (${found.reason}).`, remedy)
  }
  const { did, publicDid, access } = found.record
  if (did === undefined) {
    const message = `The registry at ${url} has no signing key and cannot register entities.`
    throw cliErrors.registry_unavailable(message, 'Ask the operator to set ORACLE_MNEMONIC.')
  }
  if (!didText.safeParse(did).success) {
    throw cliErrors.registry_unavailable(`The server at ${url} is not a registry (its DID is invalid).`, remedy)
  }
  return {
    network: 'devnet',
    title: titleOf('devnet', url),
    url,
    did,
    publicDid,
    access,
    startedHere: false,
    fetch: globalThis.fetch,
    close: async () => {},
  }
}
