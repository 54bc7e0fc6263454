import { type Host, type ProvidedService, provide, type Route } from '@sibyl/plugin'
import { type DidResolver, didResolver } from '@sibyl/protocol'
import type { EntitiesEnv } from '../entities-env.ts'
import { entityIdOf } from '../records/entity-did.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import { createDidResolver } from './create-did-resolver.ts'
import { pastState } from './past-state.ts'
import { resolverRoutes } from './resolver-routes.ts'

/** Resolving DIDs, as the plugin offers it. */
export interface ResolverRoom {
  readonly resolver: DidResolver
  readonly routes: readonly Route[]
  readonly service: ProvidedService
}

/** Puts the room together. */
export const resolverRoom = ({
  env,
  identity,
  storage,
}: {
  readonly env: Pick<EntitiesEnv, 'DID_RESOLUTION_PER_MINUTE'>
  readonly identity: Host['identity']
  readonly storage: Pick<EntitiesStorage, 'read'>
}): ResolverRoom => {
  const byId = async (id: string) => (await findEntities(storage.read, [id])).get(id)
  const resolver = createDidResolver({
    identity,
    async findEntity(did) {
      const id = entityIdOf(did)
      const entity = id === undefined ? undefined : await byId(id)
      return entity?.did === did ? entity : undefined
    },
    findPast: (entity, asked) => pastState(storage.read, entity, asked),
  })
  const routes = resolverRoutes({
    resolver,
    didOf: async id => (await byId(id))?.did,
    perMinute: env.DID_RESOLUTION_PER_MINUTE,
  })
  return { resolver, routes, service: provide(didResolver, resolver) }
}
