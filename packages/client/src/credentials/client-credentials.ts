import type { Signer } from '@sibyl/identity/browser'
import type { GivenToken } from './given-credentials.ts'
import type { Proofs } from './invocation-credentials.ts'

/** The credentials of the caller: a key, or a token. */
export type ClientCredentials =
  | {
      /** A key of `@sibyl/identity` or `@sibyl/identity/browser`, or anything that signs under a did:key. */
      readonly signer: Signer
      /**
       * Delegations to the signer, if the access of the oracle is `delegated`. The signer acts under its own DID.
       *
       * @default none
       */
      readonly proofs?: Proofs
      /**
       * Acts as the DID with which `proofs` begin, in both access modes: each of them must name `auth/impersonate`.
       *
       * @default false
       */
      readonly impersonate?: boolean
      /**
       * The abilities of the tools of the agent for the signer in a turn. Each message claims these abilities, as far
       * as `proofs` grant them. `chat/*` covers tools on the data of the signer; registering entities requires
       * `entities/write`.
       *
       * @default ['chat/*']
       */
      readonly chatAbilities?: readonly string[]
      /**
       * Signs once in 15 minutes instead of for each request: exchanges an invocation for a bearer and renews it by
       * itself. For keys that are slow to sign, or ask their owner.
       *
       * @default false
       */
      readonly exchange?: boolean
      readonly token?: undefined
    }
  | {
      /** An API key or a bearer, or what gives one for each request. */
      readonly token: GivenToken
      readonly signer?: undefined
      readonly proofs?: undefined
      readonly impersonate?: undefined
      readonly chatAbilities?: undefined
    }
