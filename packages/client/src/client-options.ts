import type { ReconnectPolicy } from './chat/reconnect-policy.ts'
import type { ClientCredentials } from './credentials/client-credentials.ts'

/** Options of `createClient`. */
export type ClientOptions = ClientCredentials & {
  /** Where the oracle is: `http://localhost:3000`; a path below which it is mounted is kept. */
  readonly url: string | URL
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** The DID, did:key or did:web, that the address must have; everything else is refused before a token is sent. */
  readonly expectedDid?: string | undefined
  /** The policy for interrupted streams. */
  readonly reconnect?: Partial<ReconnectPolicy>
}
