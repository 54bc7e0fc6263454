import type { EntityCreation, EntityPatch, EntityRegistry, JsonValue } from '@sibyl/protocol'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { NotSignedInError } from '../errors/not-signed-in-error.ts'
import type { Controller } from './controller.ts'
import type { OpenedRegistry } from './opened-registry.ts'
import { titleOf } from './plan-registry.ts'
import type { Network, RegistryNode } from './registry-node.ts'

/** The registry on a chain, as `@sibyl/registry-ixo` opens it. */
interface ChainRegistry extends EntityRegistry {
  preview(write: EntityCreation | EntityPatch): Promise<JsonValue>
  close(): Promise<void>
}

/** The part of `@sibyl/registry-ixo` that is used here. */
interface ChainPackage {
  openIxoRegistry(options: {
    readonly rpcUrl: string
    readonly network: 'testnet' | 'mainnet'
    readonly mnemonic: string
  }): Promise<ChainRegistry>
}

const packageName = '@sibyl/registry-ixo'

/**
 * A chain behind its RPC; it is asked when somebody acts there.
 *
 * @throws ConfigurationError (`configuration_invalid`) without the package that speaks to the chain
 */
export const openChainNode = async (network: Network, url: string): Promise<RegistryNode> => {
  await loadChainPackage(network)
  return {
    network,
    title: titleOf(network, url),
    url,
    did: undefined,
    access: undefined,
    startedHere: false,
    fetch: globalThis.fetch,
    close: async () => {},
  }
}

/** Opens a chain for somebody with an account there. */
export const openChainRegistry = async (node: RegistryNode, controller: Controller): Promise<OpenedRegistry> => {
  const { mnemonic } = controller
  if (!mnemonic) {
    const message = `The ${node.network} wants the signature of an account, which a phone or a login cannot give.`
    throw new NotSignedInError(message, 'Use a mnemonic: ORACLE_MNEMONIC of the project, or SIBYL_MNEMONIC.')
  }
  const { openIxoRegistry } = await loadChainPackage(node.network)
  const network = node.network === 'mainnet' ? 'mainnet' : 'testnet'
  const registry = await openIxoRegistry({ rpcUrl: node.url, network, mnemonic: mnemonic.reveal() })
  return {
    node,
    controller,
    registry,
    preview: async write =>
      write.kind === 'deactivate' ? null : registry.preview(write.kind === 'create' ? write.creation : write.patch),
    async close() {
      await registry.close()
      await node.close()
    },
  }
}

const loadChainPackage = async (network: Network): Promise<ChainPackage> => {
  try {
    return await import(packageName)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    const message = `The ${network} is reached through the package ${packageName}, which is not installed.`
    throw new ConfigurationError(message, `Install it: npm install ${packageName}`, { cause })
  }
}
