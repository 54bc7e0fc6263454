import type { HostIdentity } from '@sibyl/plugin'
import type { DocumentSigner } from '../proofs/sign-document.ts'

export interface OracleSigner {
  /** The key that is in use; undefined without a signing mnemonic. */
  verificationMethod(): string | undefined
  /** @throws SigningKeyMissingError `signing_key_missing` (503) */
  ready(): Promise<DocumentSigner>
  /** Where the world reaches the oracle, without a slash at the end. */
  publicUrl(): Promise<string>
}

/** Makes the signer from what plugins see of the oracle's key. */
export const createOracleSigner = (
  identity: Pick<HostIdentity, 'publicDid' | 'verificationMethod' | 'sign' | 'document'>,
): OracleSigner => {
  let known: { readonly publicDid: string; readonly url: string } | undefined
  return {
    verificationMethod: () => identity.verificationMethod,
    async ready() {
      const { verificationMethod } = identity
      const sign = (bytes: Uint8Array) => identity.sign(bytes)
      if (verificationMethod !== undefined) return { verificationMethod, sign }
      await sign(new Uint8Array())
      throw new Error('The oracle signs without a verification method.')
    },
    async publicUrl() {
      const { publicDid } = identity
      if (known?.publicDid !== publicDid) {
        const { service = [] } = await identity.document()
        const url = service.find(({ type }) => type === 'Oracle')?.serviceEndpoint ?? ''
        known = { publicDid, url: url.replace(/\/+$/, '') }
      }
      return known.url
    },
  }
}
