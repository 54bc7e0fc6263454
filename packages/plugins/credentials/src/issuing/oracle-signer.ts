import type { HostIdentity } from '@sibyl/core'
import type { DocumentSigner } from '../proofs/sign-document.ts'

/** Signs as the oracle. */
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
  identity: Pick<HostIdentity, 'verificationMethod' | 'sign' | 'document'>,
): OracleSigner => ({
  verificationMethod: () => identity.verificationMethod,
  async ready() {
    const { verificationMethod } = identity
    const sign = (bytes: Uint8Array) => identity.sign(bytes)
    if (verificationMethod !== undefined) return { verificationMethod, sign }
    await sign(new Uint8Array())
    throw new Error('The oracle signs without a verification method.')
  },
  async publicUrl() {
    const { service = [] } = await identity.document()
    return (service.find(({ type }) => type === 'Oracle')?.serviceEndpoint ?? '').replace(/\/+$/, '')
  },
})
