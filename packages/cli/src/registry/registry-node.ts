import type { Project } from '../project/project.ts'

/** The networks an oracle may be registered on. */
export const networks = ['devnet', 'testnet', 'mainnet'] as const

/** One of `networks`. */
export type Network = (typeof networks)[number]

/** For display. */
export const devnetTitle = 'the devnet on this computer'

/** The location of a registry, before any request. */
export interface RegistryPlace {
  readonly network: Network
  /** For display: `the devnet on this computer`, `the registry at https://entities.example.org`. */
  readonly title: string
  /** Its address: HTTP, or the RPC of a chain. */
  readonly url: string
}

/** Returns its address for display; of a chain without the path, which may contain a key. */
export const shownAddress = ({ network, url }: Pick<RegistryPlace, 'network' | 'url'>): string =>
  network === 'devnet' ? url : new URL(url).origin

/** Returns the name and address of a registry for display; of a chain only the host. */
export const describePlace = ({ network, title, url }: RegistryPlace): string => {
  if (title.includes(url)) return title
  return `${title} (${network === 'devnet' ? url : new URL(url).host})`
}

/** Returns whether two DIDs are the same controller at a registry, which writes its own key as its public DID. */
export const isSameController = (
  one: string,
  other: string,
  { did, publicDid }: Partial<Pick<RegistryNode, 'did' | 'publicDid'>>,
): boolean => {
  const canonical = (it: string) => (it === did ? publicDid : it)
  return one === other || canonical(one) === canonical(other)
}

interface ChainSettings {
  /** The chain package. */
  readonly library: typeof import('@sibyl/registry-ixo')
  /** The folder that stores signed registrations until they are confirmed. */
  readonly journalFolder: string
  /** The DID of the operator that registers entities. */
  readonly relayerNode: string | undefined
  /** The gas price: `0.025uixo`. */
  readonly gasPrice: string | undefined
}

/** A running registry, before it is opened for a controller. */
export interface RegistryNode extends RegistryPlace {
  /** The audience of tokens; undefined for a chain. */
  readonly did: string | undefined
  /** The did:web of a registry that is an oracle, which it writes for its own did:key. */
  readonly publicDid?: string
  /** Whether any caller may register, or only users with a delegation of its operator; undefined for a chain. */
  readonly access: 'open' | 'delegated' | undefined
  /** Whether it was started for this command, and stops with it. */
  readonly startedHere: boolean
  readonly chain?: ChainSettings
  /** Sends requests to it; starts a devnet again that another command stopped. */
  readonly fetch: typeof globalThis.fetch
  /** Closes it; stops a devnet that was started for this command. */
  close(): Promise<void>
}

/** The location of a registry: options override the project, which overrides the defaults of a network. */
export interface RegistryOptions {
  /** An HTTP address, for `devnet`. @default REGISTRY_URL, else the devnet of this computer */
  readonly registryUrl?: string | undefined
  /** The RPC address of a chain, for `testnet` and `mainnet`. @default CHAIN_RPC_URL */
  readonly rpcUrl?: string | undefined
  /** The project whose settings are used; without one those of the environment. */
  readonly project?: Project | undefined
  /** Receives a line about work that may take longer than a second. */
  readonly report?: (line: string) => void
}
