import type { PassphraseOptions } from '../../keystore/read-passphrase.ts'

/** What `sibyl login` is called with. */
export interface LoginOptions extends PassphraseOptions {
  /** The registry of a devnet. @default REGISTRY_URL, else that of this computer */
  readonly registryUrl?: string
  /** The name of a key in the keystore, which signs in the place of a phone. */
  readonly key?: string
  /** Waits for a phone, also where nobody seems to look on. */
  readonly qr?: boolean
  /** The DID that must sign. @default whoever does */
  readonly controller?: string
  /** How long it is good. @default 12 */
  readonly hours?: number
  readonly signingHost?: string
  readonly signingUrl?: string
  readonly json?: boolean
}
