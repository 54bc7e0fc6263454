import type { DidError, DidResolution } from '@sibyl/protocol'

/** The namespace of the errors of W3C DID Resolution §11. */
const errorNamespace = 'https://www.w3.org/ns/did#'

const errors: Readonly<Record<DidError, { readonly status: 400 | 404 | 406 | 500 | 501; readonly title: string }>> = {
  INVALID_DID: { status: 400, title: 'This is not a DID' },
  INVALID_OPTIONS: { status: 400, title: 'An option is not valid' },
  NOT_FOUND: { status: 404, title: 'This DID is not known' },
  REPRESENTATION_NOT_SUPPORTED: { status: 406, title: 'No such representation' },
  METHOD_NOT_SUPPORTED: { status: 501, title: 'This DID method is not supported' },
  FEATURE_NOT_SUPPORTED: { status: 501, title: 'This is not supported here' },
  INTERNAL_ERROR: { status: 500, title: 'Internal error' },
}

export const didFailure = (error: DidError, detail: string): DidResolution => ({
  didDocument: null,
  didResolutionMetadata: { error: { type: errorNamespace + error, title: errors[error].title, detail } },
  didDocumentMetadata: {},
})

/** The HTTP status that a result is answered with (W3C DID Resolution §12.1). */
export const didStatus = ({ didResolutionMetadata, didDocumentMetadata }: DidResolution) => {
  const { error } = didResolutionMetadata
  if (error) return errors[error.type.slice(errorNamespace.length) as DidError]?.status ?? 500
  return didDocumentMetadata.deactivated ? 410 : 200
}
