import { join } from 'node:path'
import { homeFolder } from '../home/home-folder.ts'
import type { CommandIo } from '../process/command-io.ts'
import { registryAddress } from './registry-address.ts'
import { devnetTitle, type Network, type RegistryOptions, type RegistryPlace } from './registry-node.ts'

/**
 * Returns where `openRegistryNode` would find the registry of a network, without a request.
 *
 * @throws `configuration_invalid`, `usage_invalid`
 */
export const planRegistry = async (
  network: Network,
  io: CommandIo,
  options: RegistryOptions = {},
): Promise<RegistryPlace> => {
  const url = registryAddress(network, io, options)
  if (url !== undefined) return { network, url, title: titleOf(network, url) }
  const folder = join(homeFolder(io.env), 'devnet')
  const [{ readKeys, usualPort }, { readRunningDevnet }] = await Promise.all([
    import('../devnet/devnet-keys.ts'),
    import('../devnet/running-devnet.ts'),
  ])
  const running = await readRunningDevnet(folder)
  const port = (await readKeys(folder))?.keys.port ?? usualPort
  return { network, url: running ?? `http://localhost:${port}`, title: devnetTitle }
}

/** The display name: a registry by its address, a chain by its name. */
export const titleOf = (network: Network, url: string): string =>
  network === 'devnet' ? `the registry at ${url}` : `the ${network}`
