import { type ServiceToken, serviceToken } from './service-token.ts'

/** A public key of a DID document, as a Multikey (W3C Controlled Identifiers 1.0 §2.2.2). */
export interface DidVerificationMethod {
  /** A whole DID URL: `did:web:example.org#z6Mk…`. */
  readonly id: string
  readonly type: 'Multikey'
  readonly controller: string
  readonly publicKeyMultibase: string
}

/** A service of a DID document. */
export interface DidService {
  /** A whole DID URL: `did:web:example.org#readings`. */
  readonly id: string
  readonly type: string
  readonly serviceEndpoint: string
}

/** A DID document (W3C DID Core 1.0 §5). */
export interface DidDocument {
  readonly '@context': readonly string[]
  readonly id: string
  /** DIDs that may change the document, where it is not its own. */
  readonly controller?: string | readonly string[]
  readonly alsoKnownAs?: readonly string[]
  readonly verificationMethod?: readonly DidVerificationMethod[]
  readonly authentication?: readonly string[]
  readonly assertionMethod?: readonly string[]
  readonly capabilityInvocation?: readonly string[]
  readonly capabilityDelegation?: readonly string[]
  readonly service?: readonly DidService[]
}

/** The result of resolving a DID (W3C DID Resolution §9). Without a document it failed, or the DID is deactivated. */
export interface DidResolution {
  readonly didDocument: DidDocument | null
  readonly didResolutionMetadata: {
    readonly contentType?: string
    /** An RFC 9457 problem; `type` is `https://www.w3.org/ns/did#` and an error of W3C DID Resolution §11. */
    readonly error?: { readonly type: string; readonly title: string; readonly detail: string }
  }
  readonly didDocumentMetadata: {
    /** When the DID was made and last changed, in seconds: `2026-11-21T09:30:00Z`. */
    readonly created?: string
    readonly updated?: string
    readonly deactivated?: boolean
    readonly versionId?: string
    readonly nextVersionId?: string
    readonly nextUpdate?: string
  }
}

/** Which state of a DID document is asked for; the present one where neither is given. */
export interface DidResolutionOptions {
  readonly versionId?: string | undefined
  /** ISO 8601, UTC. */
  readonly versionTime?: string | undefined
}

/** Resolves DIDs that need no network: did:key, and the did:web of this oracle and of its entities. */
export interface DidResolver {
  /** Never rejects for what is wrong with a DID: that is in the result. */
  resolve(did: string, options?: DidResolutionOptions): Promise<DidResolution>
}

/** The resolver of the plugin that keeps entities. @example host.optionalService(didResolver)?.resolve(did) */
export const didResolver: ServiceToken<DidResolver> = serviceToken('did-resolver')
