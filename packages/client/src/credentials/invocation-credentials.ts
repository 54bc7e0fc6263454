import { mintInvocation, type Signer } from '@sibyl/identity/browser'
import type { OracleRecord } from '@sibyl/protocol'
import type { Credentials } from './credentials.ts'

/**
 * UCANs by which others let the signer do something at the oracle, each addressed to the signer's DID and about
 * `oracle:<did>`; or what gives them, asked anew for each token that is signed.
 */
export type Proofs = readonly string[] | ((oracle: OracleRecord) => readonly string[] | Promise<readonly string[]>)

/** Who signs invocations, and for whom. */
export interface Invoker {
  readonly signer: Signer
  /** @default none: the signer acts in their own right */
  readonly proofs?: Proofs | undefined
  /** The DID that invocations are addressed to, where the client expects one. */
  readonly expectedDid: string | undefined
}

/** How long an invocation for one request lives. */
const lifetimeSeconds = 60

/**
 * Mints an invocation for an oracle. Proofs are about the did:key of the oracle, whatever other DID it is known by.
 *
 * @throws InvalidMintRequestError (`mint_request_invalid`) when the proofs do not allow what is asked for
 */
export const mintFor = async (
  { signer, proofs = [], expectedDid }: Invoker,
  oracle: OracleRecord,
  abilities: readonly string[],
): Promise<string> => {
  const audience = expectedDid ?? oracle.did ?? oracle.publicDid
  const given = typeof proofs === 'function' ? await proofs(oracle) : proofs
  const resource = `oracle:${given.length > 0 ? (oracle.did ?? audience) : audience}`
  return mintInvocation({ key: signer, audience, resource, abilities, lifetimeSeconds, proofs: given })
}

/** A fresh invocation for each request: single use for everything but GET. */
export const invocationCredentials = (invoker: Invoker): Credentials => ({
  tokenFor: (ability, oracle) => mintFor(invoker, oracle, [ability]),
  renew: () => false,
})
