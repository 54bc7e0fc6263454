import {
  derivePairwiseKey,
  mintInvocation,
  parseMnemonic,
  type SigningKey,
  signingKeyFromMnemonic,
} from '@sibyl/identity'
import { SigningKeyMissingError } from '../errors/signing-key-missing-error.ts'
import type { HostIdentity } from '../plugins/host.ts'

/** The oracle's key, or why there is none. */
export type LoadedKey =
  | { readonly key: SigningKey; readonly problem?: undefined }
  | { readonly key: undefined /** What is wrong with the mnemonic, where one is given. */; readonly problem?: string }

/** Loads the signing key from `ORACLE_MNEMONIC`; the words go nowhere else. */
export const loadSigningKey = async (mnemonic: string | undefined): Promise<LoadedKey> => {
  if (mnemonic === undefined || mnemonic.trim() === '') {
    return { key: undefined }
  }
  const parsed = parseMnemonic(mnemonic)
  if (!parsed.ok) {
    return {
      key: undefined,
      problem: `ORACLE_MNEMONIC cannot be used: ${parsed.message}`,
    }
  }
  return { key: await signingKeyFromMnemonic(parsed.mnemonic) }
}

/** The did:web of a public URL: `https://a.example/x` becomes `did:web:a.example:x`. */
export const didWebOf = (publicUrl: string): string => {
  const url = new URL(publicUrl)
  const path = url.pathname.split('/').filter(segment => segment !== '')
  return ['did:web', url.host.replaceAll(':', '%3A'), ...path.map(encodeURIComponent)].join(':')
}

/** The identity as plugins may use it. */
export const hostIdentity = (key: SigningKey | undefined, publicDid: () => string, now: () => number): HostIdentity => {
  const needed = (): SigningKey => {
    if (!key) throw new SigningKeyMissingError()
    return key
  }
  return {
    did: key?.did,
    get publicDid() {
      return publicDid()
    },
    sign: async bytes => needed().sign(bytes),
    mintInvocation: async ({ audience, resource, abilities, proofs, lifetimeSeconds }) =>
      mintInvocation({
        key: needed(),
        audience,
        resource,
        abilities,
        lifetimeSeconds: lifetimeSeconds ?? 60,
        ...(proofs ? { proofs } : {}),
        now,
      }),
    pairwiseDid: (channel, subject) => derivePairwiseKey(needed(), channel, subject).did,
  }
}
