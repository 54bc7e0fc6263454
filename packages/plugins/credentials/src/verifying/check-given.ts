import type { CredentialCheck } from '@sibyl/protocol'
import { type CredentialForm, issuerOf } from '../documents/credential-form.ts'
import { readDocument } from '../documents/read-document.ts'
import type { CredentialVerifier } from './create-verifier.ts'

/** Verifies the whole credentials that entities are registered with. */
export const checkGiven =
  (verifier: CredentialVerifier): CredentialCheck =>
  async credential => {
    const { verified, checks } = await verifier.verify(readDocument(JSON.stringify(credential)))
    if (!verified) {
      const bad = checks.find(({ ok }) => !ok)
      return { verified: false, detail: `${bad?.name}: ${bad?.detail}` }
    }
    const { id, type, issuer } = credential as { readonly id?: string; readonly type: unknown } & Pick<
      CredentialForm,
      'issuer'
    >
    const types = [type].flat().map(String)
    return {
      verified: true,
      ...(id === undefined ? {} : { id }),
      type: types.find(one => one !== 'VerifiableCredential') ?? 'VerifiableCredential',
      issuer: issuerOf({ issuer }),
    }
  }
