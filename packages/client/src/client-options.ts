import type { ReconnectPolicy } from './chat/reconnect-policy.ts'
import type { ClientCredentials } from './credentials/client-credentials.ts'

/** What `createClient` takes. */
export type ClientOptions = ClientCredentials & {
  /** Where the oracle is: `http://localhost:3000`; a path below which it is mounted is kept. */
  readonly url: string | URL
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** The DID, did:key or did:web, that the address must have; everything else is refused before a token is sent. */
  readonly expectedDid?: string
  /** How broken streams are taken up again. */
  readonly reconnect?: Partial<ReconnectPolicy>
}
