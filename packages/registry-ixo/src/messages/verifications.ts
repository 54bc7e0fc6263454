import { publicKeyFromDid } from '@sibyl/identity'
import type { ChainVerification } from './chain-message.ts'

/** Returns the verification that allows an account to change a document, by a transaction signed with its key. */
export const accountVerification = ({ did, address }: { did: string; address: string }): ChainVerification => ({
  relationships: ['authentication'],
  method: { id: `${did}#${address}`, type: 'CosmosAccountAddress', controller: did, blockchainAccountID: address },
  context: [],
})

/** The name of the key of a `did:key` within its document (did:key method): `did:key:z6Mk…#z6Mk…`. */
export const keyMethodId = (did: string): string => `${did}#${did.slice('did:key:'.length)}`

/**
 * The Ed25519 key of a `did:key`, for everything but changes of the document, which take a transaction.
 *
 * @returns undefined for every other DID: where its keys are, is not for us to say
 */
export const keyVerification = (did: string): ChainVerification | undefined =>
  publicKeyFromDid(did) && {
    relationships: ['authentication', 'assertionMethod', 'capabilityInvocation', 'capabilityDelegation'],
    method: {
      id: keyMethodId(did),
      type: 'Ed25519VerificationKey2020',
      controller: did,
      publicKeyMultibase: did.slice('did:key:'.length),
    },
    context: [],
  }
