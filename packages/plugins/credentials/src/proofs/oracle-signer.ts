import type { Host } from '@sibyl/plugin'
import type { DocumentSigner } from './sign-document.ts'

export type OracleSigner = ReturnType<typeof createOracleSigner>

/** Creates the signer from the oracle's identity. */
export const createOracleSigner = (identity: Pick<Host['identity'], 'url' | 'verificationMethod' | 'sign'>) => {
  return {
    /** Returns the current key; undefined without a signing mnemonic. */
    verificationMethod: () => identity.verificationMethod,
    /** @throws `signing_key_missing` */
    async ready(): Promise<DocumentSigner> {
      const { verificationMethod } = identity
      const sign = (bytes: Uint8Array) => identity.sign(bytes)
      if (verificationMethod !== undefined) return { verificationMethod, sign }
      await sign(new Uint8Array())
      throw new Error('The oracle has a signing key but no verification method.')
    },
    /** Returns the public URL of the oracle, without a trailing slash. */
    publicUrl: () => identity.url,
  }
}
