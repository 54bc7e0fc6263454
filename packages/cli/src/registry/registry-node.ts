/** The networks an oracle may be registered on. */
export const networks = ['devnet', 'testnet', 'mainnet'] as const

/** One of `networks`. */
export type Network = (typeof networks)[number]

/** A registry that answers, before anybody acts there. */
export interface RegistryNode {
  readonly network: Network
  /** For people: `the devnet on this computer`, `https://registry.example.org`. */
  readonly title: string
  /** Where it is: an address of HTTP, or of a chain's RPC. */
  readonly url: string
  /** Whom tokens for it are addressed to; undefined for a chain. */
  readonly did: string | undefined
  /** Lets go of it; ends a devnet that was started for this command. */
  close(): Promise<void>
}
