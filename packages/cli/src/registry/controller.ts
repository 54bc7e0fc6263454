import type { Mnemonic, Signer } from '@sibyl/identity'

/** How a person signs. */
export const signingMethods = ['qr', 'mnemonic'] as const

export type SigningMethod = (typeof signingMethods)[number]

/** Who acts at a registry: the controller of what is registered, and how this computer signs for them. */
export interface Controller {
  /** The DID under which entities are registered and changed. */
  readonly did: string
  /** Signs the requests: the controller's own key, or this computer's, which acts as the controller by `proofs`. */
  readonly signer: Signer
  /** What this computer was let in with, by a phone or an encrypted key; empty where the controller signs. */
  readonly proofs: readonly string[]
  /** The words, where they are on this computer: a chain derives its account from them. */
  readonly mnemonic?: Mnemonic
}

/** Checks whether this computer's key acts as the controller, so that its requests name `auth/impersonate`. */
export const isImpersonating = ({ did, signer }: Pick<Controller, 'did' | 'signer'>): boolean => did !== signer.did
