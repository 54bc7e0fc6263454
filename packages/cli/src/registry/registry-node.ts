import type { Project } from '../project/project.ts'

/** The networks an oracle may be registered on. */
export const networks = ['devnet', 'testnet', 'mainnet'] as const

/** One of `networks`. */
export type Network = (typeof networks)[number]

/** For people. */
export const devnetTitle = 'the devnet on this computer'

/** Where a registry is, before anybody asks there. */
export interface RegistryPlace {
  readonly network: Network
  /** For people: `the devnet on this computer`, `the registry at https://entities.example.org`. */
  readonly title: string
  /** Where it is: an address of HTTP, or of a chain's RPC. */
  readonly url: string
}

/** Its address as it may be shown; of a chain without its path, as that of an RPC may hold a key. */
export const shownAddress = ({ network, url }: Pick<RegistryPlace, 'network' | 'url'>): string =>
  network === 'devnet' ? url : new URL(url).origin

/** Returns a registry with its address, for people; of a chain its host alone. */
export const describePlace = ({ network, title, url }: RegistryPlace): string => {
  if (title.includes(url)) return title
  return `${title} (${network === 'devnet' ? url : new URL(url).host})`
}

/** How to act on a chain. */
interface ChainSettings {
  /** The package that speaks to it. */
  readonly library: typeof import('@sibyl/registry-ixo')
  /** The folder below which signed registrations are kept until they are known to be made. */
  readonly journalFolder: string
  /** The DID of the operator through whom entities are registered. */
  readonly relayerNode: string | undefined
  /** What gas costs: `0.025uixo`. */
  readonly gasPrice: string | undefined
}

/** A registry that answers, before anybody acts there. */
export interface RegistryNode extends RegistryPlace {
  /** Whom tokens for it are addressed to; undefined for a chain. */
  readonly did: string | undefined
  /** Whether anybody may register there, or only whom its operator lets in; undefined for a chain. */
  readonly access: 'open' | 'delegated' | undefined
  /** Whether it was started for this command, and ends with it. */
  readonly startedHere: boolean
  /** Where it is a chain. */
  readonly chain?: ChainSettings
  /** Sends requests to it; starts a devnet anew that another command ended. */
  readonly fetch: typeof globalThis.fetch
  /** Lets go of it; ends a devnet that was started for this command. */
  close(): Promise<void>
}

/** What says where a registry is: flags go before the project, and this before what a network has by itself. */
export interface RegistryOptions {
  /** An address of HTTP, for `devnet`. @default REGISTRY_URL, else the devnet of this computer */
  readonly registryUrl?: string | undefined
  /** An address of a chain's RPC, for `testnet` and `mainnet`. @default CHAIN_RPC_URL */
  readonly rpcUrl?: string | undefined
  /** Whose settings count; without one those of the environment do. */
  readonly project?: Project | undefined
  /** Takes a line about what may last longer than a second. */
  readonly tell?: (line: string) => void
}
