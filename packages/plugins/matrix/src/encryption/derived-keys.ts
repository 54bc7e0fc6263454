import { hash, hkdfSync } from 'node:crypto'
import type { MatrixHost } from '../store/matrix-tables.ts'

/** Keys that are derived from the oracle's own, and the same at each start. Each has 32 bytes. */
export interface DerivedKeys {
  /** Encrypts the records of the device. */
  readonly records: Uint8Array
  /** Fingerprint of `records`. */
  readonly id: string
  /** Seeds of the Ed25519 keys of the bot's user, which sign its devices. */
  readonly signing: { readonly master: Uint8Array; readonly selfSigning: Uint8Array; readonly userSigning: Uint8Array }
}

/** Derives the keys from a signature, which is the same each time with Ed25519. @throws `signing_key_missing` */
export const deriveKeys = async ({ sign }: Pick<MatrixHost['identity'], 'sign'>): Promise<DerivedKeys> => {
  const secret = await sign(Buffer.from('sibyl matrix: the secret of encrypted rooms, version 1'))
  const derive = (info: string) => new Uint8Array(hkdfSync('sha256', secret, 'sibyl matrix', info, 32))
  return {
    records: derive('records'),
    id: hash('sha256', derive('fingerprint of records'), 'hex').slice(0, 16),
    signing: {
      master: derive('cross-signing master'),
      selfSigning: derive('cross-signing self'),
      userSigning: derive('cross-signing user'),
    },
  }
}
