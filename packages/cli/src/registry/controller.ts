import type { Mnemonic, Signer } from '@sibyl/identity'

export const signingMethods = ['qr', 'mnemonic'] as const

export type SigningMethod = (typeof signingMethods)[number]

/** The actor at a registry: the controller of an entity, and the way this computer signs for it. */
export interface Controller {
  /** The DID that registers and changes entities. */
  readonly did: string
  /**
   * Signs the requests: the key of the controller, or that of this computer, which acts as the controller by `proofs`.
   */
  readonly signer: Signer
  /** The delegations to this computer by a phone or an encrypted key; empty if the controller signs. */
  readonly proofs: readonly string[]
  /** The mnemonic, if it is on this computer: a chain derives its account from it. */
  readonly mnemonic?: Mnemonic
}

/** Checks whether the key of this computer acts as the controller, so that its requests need `auth/impersonate`. */
export const isImpersonating = ({ did, signer }: Pick<Controller, 'did' | 'signer'>): boolean => did !== signer.did
