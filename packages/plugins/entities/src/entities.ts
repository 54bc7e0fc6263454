import { definePlugin, provide } from '@sibyl/plugin'
import { claimChecks, credentialChecks, didResolver, entityDirectory, propertyRules } from '@sibyl/protocol'
import { createParties } from './access/parties.ts'
import { afterMove } from './after-move.ts'
import { createEntityChanges } from './changes/entity-changes.ts'
import { createEntityDirectory } from './directory/entity-directory.ts'
import { createEntityRegistry } from './directory/entity-registry.ts'
import { entitiesEnv } from './entities-env.ts'
import { personEntities } from './erasing/person-entities.ts'
import { explorerRoutes } from './explorer/explorer-routes.ts'
import { createEdgeStore } from './graph/edge-store.ts'
import { createGraph } from './graph/graph.ts'
import { graphRoute } from './graph/graph-route.ts'
import { neighborRoutes } from './graph/neighbor-routes.ts'
import { relationshipRules } from './graph/relationship-rules.ts'
import { documentProjection } from './history/document-changes.ts'
import { historyRoutes } from './history/history-routes.ts'
import { createPastStates } from './history/past-states.ts'
import { createLinkSigner } from './history/sign-links.ts'
import { manifest } from './manifest.ts'
import { protocolRoutes } from './protocols/protocol-routes.ts'
import { claimCheckedRules, protocolRules, sharedPropertyRules } from './protocols/protocol-rules.ts'
import { createProtocolStore } from './protocols/protocol-store.ts'
import { createEntityReader } from './reading/entity-reader.ts'
import { namesRoute } from './reading/names-route.ts'
import { placeProjection } from './reading/place-projection.ts'
import { placesRoute } from './reading/places-route.ts'
import { entityRoute, listRoute } from './reading/reading-routes.ts'
import { createTermIndex, termProjection } from './reading/term-projection.ts'
import { makeEntityIds } from './records/entity-id.ts'
import { entityRegistry } from './records/entity-registry.ts'
import { createDidResolver } from './resolver/create-did-resolver.ts'
import { resolverRoutes } from './resolver/resolver-routes.ts'
import { createEntitySearch } from './search/entity-search.ts'
import { createRemoteIndex } from './search/remote-index.ts'
import { createSearchIndex, searchProjection } from './search/search-projection.ts'
import { searchRoute } from './search/search-route.ts'
import { entitiesMigrations } from './storage/entities-migrations.ts'
import type { EntitiesTables } from './storage/entities-tables.ts'
import { entityTools } from './tools/entity-tools.ts'
import { createEntityWriter } from './writing/entity-writer.ts'
import { createGivenCredentials } from './writing/given-credentials.ts'
import { replyRetention } from './writing/replies.ts'
import { createStrangerSpace } from './writing/stranger-space.ts'
import { changeRoutes, creationRoute } from './writing/writing-routes.ts'

/**
 * Stores digital twins: entities with DIDs under protocols, in a graph, with a signed history.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities()] })
 */
export const entities = () =>
  definePlugin<typeof entitiesEnv, EntitiesTables>({
    name: 'entities',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: entitiesEnv,
    migrations: entitiesMigrations,
    afterMove,
    async setup(host) {
      const { clock, env, environment, identity, log, storage } = host
      const now = () => clock.now()
      const publicDid = () => identity.publicDid
      const parties = createParties(identity)
      const protocols = createProtocolStore(storage)
      const edges = createEdgeStore(storage)
      const graph = createGraph(storage)

      const terms = createTermIndex(storage)
      const states = createPastStates({ storage, identity, log })
      const reader = createEntityReader({
        storage,
        index: terms,
        states,
        rules: protocolRules,
        parties,
        protocols,
        edges,
      })

      const words = createSearchIndex(storage)
      const url = env.DOMAIN_INDEXER_URL
      const remote = url === undefined ? undefined : createRemoteIndex({ url, log, clock })
      const search = createEntitySearch(words, reader, remote)

      const changes = await createEntityChanges(host, env.ENTITIES_WEBHOOK_PRIVATE === 'on')
      const { rules, checks } = claimCheckedRules(protocolRules)
      const total = env.ENTITIES_STRANGERS_MB * 1_000_000
      const space = host.limits.space({ perHolder: env.ENTITIES_STRANGER_MB * 1_000_000, total })
      const writer = createEntityWriter({
        storage,
        rules,
        protocols,
        relationshipRules,
        edges,
        signer: createLinkSigner(identity),
        identity,
        parties,
        publicDid,
        newId: makeEntityIds(now),
        now,
        projections: [termProjection(terms), searchProjection(words), documentProjection, placeProjection],
        written: changes.written,
        space: createStrangerSpace(space, { access: host.access, limits: host.limits, total }),
      })
      const credentials = createGivenCredentials()
      const isExplorerOn = (env.ENTITIES_EXPLORER ?? (environment === 'development' ? 'on' : 'off')) === 'on'
      const resolver = createDidResolver(identity, storage.read)
      return {
        tools: entityTools({ reader, writer, search, graph }),
        routes: [
          creationRoute(writer, credentials),
          ...changeRoutes(writer),
          ...historyRoutes(storage.read, reader, identity, env.ENTITIES_HISTORY_PER_MINUTE),
          listRoute(reader),
          entityRoute(reader),
          namesRoute(reader),
          placesRoute(storage),
          searchRoute(search),
          ...resolverRoutes(resolver, storage.read, env.DID_RESOLUTION_PER_MINUTE),
          ...protocolRoutes(protocols),
          graphRoute(graph),
          ...neighborRoutes(storage),
          ...changes.routes,
          ...(isExplorerOn ? explorerRoutes(host.oracle.name) : []),
        ],
        services: [
          provide(propertyRules, sharedPropertyRules),
          provide(didResolver, resolver),
          provide(claimChecks, checks),
          provide(credentialChecks, credentials.checks),
          provide(entityDirectory, createEntityDirectory({ storage, protocols, edges, now }, writer)),
          provide(entityRegistry, createEntityRegistry(writer, credentials, reader, publicDid)),
        ],
        retention: [replyRetention(storage, env.RETENTION_ENTITY_REPLIES_DAYS)],
        personalRecords: personEntities({
          storage,
          identity,
          reader,
          writer,
          webhooks: changes.webhooks,
          clock,
          space,
        }),
        dispose: changes.dispose,
      }
    },
  })
