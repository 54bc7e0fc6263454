import type { didResolver, ServiceOf } from '@sibyl/protocol'

/** The result of resolving a DID. */
export type DidResolution = Awaited<ReturnType<ServiceOf<typeof didResolver>['resolve']>>
