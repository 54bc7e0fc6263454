import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonValue } from '@sibyl/protocol'
import type { Journal } from '@sibyl/registry-ixo'
import { cliErrors } from '../errors/cli-errors.ts'
import { ignoreMissing } from '../errors/code-of.ts'
import { homeFolder, openHomeFolder } from '../home/home-folder.ts'
import { replaceFile } from '../home/through-draft.ts'
import { cleanLine } from '../output/clean-text.ts'
import { shellWord } from '../output/format.ts'
import { detectPackageManager } from '../package-manager/detect-package-manager.ts'
import type { CommandIo } from '../process/command-io.ts'
import { ownVersion } from '../process/own-version.ts'
import type { Project } from '../project/project.ts'
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

/** Signed transactions by the idempotency keys of their creations. */
interface ChainJournal extends Journal {
  /** Removes the entry of a key that is not used again. */
  forget(key: string): Promise<void>
}

/** The retention of a transaction in milliseconds, and the maximum number of them. */
const [keptMs, maxKept] = [90 * 86_400_000, 1_000]

/**
 * Stores signed transactions in `chain-journal` of the home, one file per key: an interrupted registration is sent
 * again unchanged, and not made twice. Entries older than 90 days are removed with the next write.
 */
export const chainJournal = (home: string): ChainJournal => {
  const folder = join(home, 'chain-journal')
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
  return {
    read: key => readFile(pathOf(key), 'utf8').catch(ignoreMissing),
    async write(key, text) {
      await openHomeFolder(folder)
      await dropOld(folder)
      await replaceFile(pathOf(key), text)
    },
    forget: key => rm(pathOf(key), { force: true }),
  }
}

/** Removes old entries before a new one is written. */
const dropOld = async (folder: string): Promise<void> => {
  const paths = (await readdir(folder)).map(name => join(folder, name))
  const ages = await Promise.all(paths.map(async path => ({ path, at: await writtenAt(path) })))
  const newest = ages.toSorted((one, other) => other.at - one.at)
  const old = newest.filter(({ at }, place) => at < Date.now() - keptMs || place >= maxKept - 1)
  await Promise.all(old.map(({ path }) => rm(path, { force: true })))
}

/** Returns the time of a file; one that another run has just removed counts as new. */
const writtenAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )

/** The optional chain package. */
type ChainPackage = typeof import('@sibyl/registry-ixo')

const packageName = '@sibyl/registry-ixo'

/**
 * Loads the chain package: that of the project, else the one beside this command.
 *
 * @throws `configuration_invalid` with the command that installs it, if it is missing
 */
const loadChainPackage = async (
  network: Network,
  project: Pick<Project, 'folder'> | undefined,
): Promise<ChainPackage> => {
  const path = project && resolveFrom(project.folder)
  try {
    return await (path === undefined ? import('@sibyl/registry-ixo') : import(pathToFileURL(path).href))
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    const message = `The ${network} requires the package ${packageName}, which is not installed.`
    throw cliErrors.configuration_invalid(message, `Install it: ${await installCommand(project?.folder)}`, { cause })
  }
}

const resolveFrom = (folder: string): string | undefined => {
  try {
    return createRequire(join(folder, 'package.json')).resolve(packageName)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')

/**
 * Returns the command that installs the package.
 *
 * @param project The folder of the project, if any.
 * @param own The folder of this command.
 */
export const installCommand = async (project: string | undefined, own = import.meta.dirname): Promise<string> => {
  const version = await ownVersion()
  const wanted = `${packageName}@${version}`
  const add = async (folder: string) => {
    const manager = await detectPackageManager(join(folder, 'package.json'), {})
    return `${manager} ${manager === 'npm' ? 'install' : 'add'} ${wanted}`
  }
  if (project !== undefined) return add(project)
  const parts = own.split(sep)
  if (parts.includes('_npx')) return `npx --package @sibyl/cli@${version} --package ${wanted} sibyl …`
  const home = parts.slice(0, Math.max(0, parts.indexOf('node_modules'))).join(sep)
  const isLocal = home !== '' && existsSync(join(home, 'package.json'))
  return isLocal ? `cd ${shellWord(home)} && ${await add(home)}` : `npm install --global ${wanted}`
}
