import type { ClientCredentials, GivenToken, Proofs, ReconnectPolicy } from '@sibyl/client'

/** The credentials: an API key, or a signer of each request. */
export type RegistryCredentials =
  | {
      /** An API key of the registry, or what gives one for each request. */
      readonly apiKey: GivenToken
      readonly signer?: undefined
      readonly proofs?: undefined
      readonly impersonate?: undefined
    }
  | {
      /** A key of `@sibyl/identity` or `@sibyl/identity/browser`; each request goes under an invocation of its own. */
      readonly signer: NonNullable<ClientCredentials['signer']>
      /** Delegations to the signer, if the access of the registry is `delegated`. @default none */
      readonly proofs?: Proofs
      /** Acts as the DID with which `proofs` begin: each of them must name `auth/impersonate`. @default false */
      readonly impersonate?: boolean
      readonly apiKey?: undefined
    }

/** The number and delay of retries. */
export type RepeatPolicy = Pick<ReconnectPolicy, 'tries' | 'firstDelayMs' | 'maxDelayMs'>

export type HttpRegistryOptions = RegistryCredentials & {
  /** Where the registry is: `http://localhost:4100`; a path below which it is mounted is kept. */
  readonly url: string | URL
  /** The DID, did:key or did:web, that the address must have; everything else is refused before a credential is sent. */
  readonly expectedDid?: string
  /** Milliseconds that one call may take, its repeats included. @default 30000 */
  readonly timeLimitMs?: number
  /** Milliseconds to wait for the head of one answer. @default 10000 */
  readonly responseTimeoutMs?: number
  /** The policy for idempotent requests. @default 4 retries, 200 ms doubled up to 2000 ms */
  readonly repeat?: Partial<RepeatPolicy>
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
}
