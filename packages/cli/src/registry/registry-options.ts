import type { Project } from '../project/project.ts'

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
