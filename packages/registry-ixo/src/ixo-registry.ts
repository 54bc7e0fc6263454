import type { EntityCreation, EntityPatch, EntityRegistry } from '@sibyl/plugin-entities/records'
import type { PlainMessage } from './messages/message-codec.ts'

/** A change of the registry, before it is made. */
export type RegistryChange =
  | { readonly creation: EntityCreation }
  | { readonly did: string; readonly patch: EntityPatch }
  | { readonly did: string; readonly deactivation: true }

export interface ChangePreview {
  readonly chainId: string
  /** The account that would sign and pay: `ixo1…`. */
  readonly signer: string
  /** `0.025uixo` */
  readonly gasPrice: string
  /** The messages of each transaction, in order; none where nothing would change. */
  readonly transactions: readonly (readonly PlainMessage[])[]
}

/**
 * Entities of a chain with the ixo entity and iid modules.
 *
 * Creations and changes are transactions: they take a block's time and cost a fee. One runs after another. Every method
 * throws `ChainError`s, or the reason of the signal that it was opened with.
 */
export interface IxoRegistry extends EntityRegistry {
  /** The id of the chain: `pandora-8`. */
  readonly chainId: string
  /** The account that signs and pays: `ixo1…`. */
  readonly address: string
  /** The DID of that account at the chain: `did:x:zQ3s…`. It owns what is registered. */
  readonly accountDid: string
  /** Returns the transaction of a change as plain JSON; nothing is signed or sent. */
  preview(change: RegistryChange): Promise<ChangePreview>
}
