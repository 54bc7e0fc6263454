import type { Signer } from '@sibyl/identity/browser'
import type { GivenToken } from './given-credentials.ts'
import type { Proofs } from './invocation-credentials.ts'

/** Who asks: somebody with a key, or the holder of a token. */
export type ClientCredentials =
  | {
      /** A key of `@sibyl/identity` or `@sibyl/identity/browser`, or anything that signs under a did:key. */
      readonly signer: Signer
      /**
       * What the signer was let in with, where the oracle's access is `delegated`. The signer acts under its own DID.
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
       * What the agent's tools may do for the signer in a turn. Each message claims these abilities, as far as `proofs` grant
       * them. `chat/*` covers tools on the signer's own data; registering entities needs `entities/write`.
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
