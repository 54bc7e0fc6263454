import type { didResolver, ServiceOf } from '@sibyl/protocol'

export type DidResolution = Awaited<ReturnType<ServiceOf<typeof didResolver>['resolve']>>
