import { mintInvocation, type Signer } from '@sibyl/identity/browser'
import type { OracleRecord } from '@sibyl/protocol'
import type { Credentials } from './credentials.ts'

/** How long an invocation for one request lives. */
const lifetimeSeconds = 60

/**
 * Mints an invocation for an oracle.
 *
 * @param expectedDid The DID that it is addressed to, where the client expects one.
 */
export const mintFor = (
  signer: Signer,
  oracle: OracleRecord,
  abilities: readonly string[],
  expectedDid: string | undefined,
): Promise<string> => {
  const audience = expectedDid ?? oracle.did ?? oracle.publicDid
  return mintInvocation({ key: signer, audience, resource: `oracle:${audience}`, abilities, lifetimeSeconds })
}

/** A fresh invocation for each request: single use for everything but GET. */
export const invocationCredentials = (signer: Signer, expectedDid: string | undefined): Credentials => ({
  tokenFor: (ability, oracle) => mintFor(signer, oracle, [ability], expectedDid),
  renew: () => false,
})
