import type { DidResolution } from './did-resolution.ts'

/** The namespace of the errors of W3C DID Resolution §11. */
const errorNamespace = 'https://www.w3.org/ns/did#'

const errors = {
  INVALID_DID: { status: 400, title: 'The DID is invalid' },
  INVALID_OPTIONS: { status: 400, title: 'An option is invalid' },
  NOT_FOUND: { status: 404, title: 'The DID is unknown' },
  REPRESENTATION_NOT_SUPPORTED: { status: 406, title: 'The representation is unavailable' },
  METHOD_NOT_SUPPORTED: { status: 501, title: 'The DID method is not supported' },
  FEATURE_NOT_SUPPORTED: { status: 501, title: 'The feature is not supported' },
  INTERNAL_ERROR: { status: 500, title: 'Internal error' },
} as const

/** Why a DID was not resolved, in the words of W3C DID Resolution §11. */
export type DidError = keyof typeof errors

export const didFailure = (error: DidError, detail: string): DidResolution => ({
  didDocument: null,
  didResolutionMetadata: { error: { type: errorNamespace + error, title: errors[error].title, detail } },
  didDocumentMetadata: {},
})

/** Returns the HTTP status of a result (W3C DID Resolution §12.1). */
export const didStatus = ({ didResolutionMetadata, didDocumentMetadata }: DidResolution) => {
  const { error } = didResolutionMetadata
  if (error) return errors[error.type.slice(errorNamespace.length) as DidError]?.status ?? 500
  return didDocumentMetadata.deactivated ? 410 : 200
}
