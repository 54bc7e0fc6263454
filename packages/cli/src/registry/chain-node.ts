import type { JsonValue } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { homeFolder } from '../home/home-folder.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { CommandIo } from '../process/command-io.ts'
import { chainJournal } from './chain-journal.ts'
import { loadChainPackage } from './chain-package.ts'
import type { Controller } from './controller.ts'
import { explained, explainRegistryError } from './explain-registry-error.ts'
import type { OpenedRegistry, OpenRegistryOptions, RegistryWrite } from './opened-registry.ts'
import { titleOf } from './plan-registry.ts'
import { settingOf } from './registry-address.ts'
import type { Network, RegistryNode, RegistryOptions, RegistryPlace } from './registry-node.ts'

/**
 * Opens a chain by its RPC; the first request is sent when it is used. CHAIN_RELAYER_NODE names the operator that
 * registers entities, CHAIN_GAS_PRICE the gas price.
 *
 * @throws `configuration_invalid` without the chain package
 */
export const openChainNode = async (
  network: Network,
  url: string,
  io: Pick<CommandIo, 'env'>,
  { project }: RegistryOptions,
): Promise<RegistryNode> => {
  const library = await loadChainPackage(network, project)
  const setting = settingOf(io, project)
  return {
    network,
    title: titleOf(network, url),
    url,
    did: undefined,
    access: undefined,
    startedHere: false,
    chain: {
      library,
      journalFolder: homeFolder(io.env),
      relayerNode: setting('CHAIN_RELAYER_NODE'),
      gasPrice: setting('CHAIN_GAS_PRICE'),
    },
    fetch: globalThis.fetch,
    close: async () => {},
  }
}

/**
 * Opens a chain for an account.
 *
 * @throws `not_signed_in` when its mnemonic is not on this computer, `registry_unavailable` when no node of this
 * network responds
 */
export const openChainRegistry = async (
  node: RegistryNode,
  controller: Controller,
  { signal }: OpenRegistryOptions,
): Promise<OpenedRegistry> => {
  const { mnemonic } = controller
  if (!mnemonic) {
    const message = `The ${node.network} requires the signature of an account, which a phone or a login cannot make.`
    throw cliErrors.not_signed_in(message, 'Use a mnemonic: ORACLE_MNEMONIC of the project, or SIBYL_MNEMONIC.')
  }
  if (!node.chain) throw new TypeError('The node does not belong to a chain.')
  const { library, journalFolder, relayerNode, gasPrice } = node.chain
  const journal = chainJournal(journalFolder)
  const registry = await library
    .openIxoRegistry({
      rpcUrl: node.url,
      mnemonic,
      fetch: node.fetch,
      journal,
      signal,
      relayerNode,
      gasPrice,
    })
    .catch(error => {
      throw explainRegistryError(error, node)
    })
  assertNetwork(node, registry.chainId)
  return {
    node,
    controller,
    registry: explained(registry, node),
    async preview(write) {
      const preview = await registry.preview(changeOf(write)).catch(error => {
        throw explainRegistryError(error, node)
      })
      return preview as unknown as JsonValue
    },
    // The rest expires by age.
    forget: key => journal.forget(key).catch(() => {}),
    close: () => node.close(),
  }
}

const changeOf = (write: RegistryWrite) => {
  if (write.kind === 'create') return { creation: write.creation }
  return write.kind === 'update'
    ? { did: write.did, patch: write.patch }
    : { did: write.did, deactivation: true as const }
}

/** Rejects a node of another network first, because every transaction costs a fee. */
const assertNetwork = ({ network, url }: RegistryPlace, chainId: string): void => {
  const isMainnet = chainId.startsWith('ixo-')
  if (isMainnet === (network === 'mainnet')) return
  const message = `The node at ${new URL(url).host} belongs to ${cleanLine(chainId)}, not to the ${network}.`
  throw cliErrors.registry_unavailable(message, `Use a node of the ${network}: --rpc-url, CHAIN_RPC_URL.`)
}
