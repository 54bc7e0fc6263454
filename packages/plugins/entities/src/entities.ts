import { definePlugin, provide } from '@sibyl/plugin'
import { propertyRules } from '@sibyl/protocol'
import { changesRoom } from './changes/changes-room.ts'
import { entitiesEnv } from './entities-env.ts'
import { personEntities } from './erasing/person-entities.ts'
import { explorerRoom } from './explorer/explorer-room.ts'
import { createEdgeStore } from './graph/create-edge-store.ts'
import { createGraph } from './graph/create-graph.ts'
import { graphRoute } from './graph/graph-route.ts'
import { documentProjection } from './history/document-changes.ts'
import { manifest } from './manifest.ts'
import { createProtocolStore } from './protocols/create-protocol-store.ts'
import { protocolRoutes } from './protocols/protocol-routes.ts'
import { sharedPropertyRules } from './protocols/shared-property-rules.ts'
import { readingRoom } from './reading/reading-room.ts'
import { resolverRoom } from './resolver/resolver-room.ts'
import { searchRoom } from './search/search-room.ts'
import { entitiesMigrations } from './storage/entities-migrations.ts'
import type { EntitiesTables } from './storage/entities-tables.ts'
import { entityTools } from './tools/entity-tools.ts'
import { writingRoom } from './writing/writing-room.ts'

/**
 * Keeps digital twins: entities with DIDs under protocols, in a graph, with a signed history.
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
    async setup(host) {
      const { storage } = host
      const protocols = createProtocolStore(storage)
      const edges = createEdgeStore(storage)
      const reading = readingRoom(host, { protocols, edges })
      const searching = searchRoom(host, reading.reader)
      const changes = await changesRoom(host)
      const writing = await writingRoom(host, {
        protocols,
        edges,
        reader: reading.reader,
        projections: [reading.projection, searching.projection, documentProjection],
        bell: changes.bell,
      })
      const resolving = resolverRoom(host)
      const graph = createGraph(storage)
      return {
        tools: entityTools({ reader: reading.reader, writer: writing.writer, search: searching.search, graph }),
        routes: [
          ...writing.routes,
          ...reading.routes,
          ...searching.routes,
          ...resolving.routes,
          ...protocolRoutes(protocols),
          graphRoute(graph),
          ...changes.routes,
          ...explorerRoom(host).routes,
        ],
        services: [provide(propertyRules, sharedPropertyRules), resolving.service, ...writing.services],
        personalRecords: personEntities({
          ...host,
          reader: reading.reader,
          writer: writing.writer,
          webhooks: changes.webhooks,
        }),
        dispose: () => changes.dispose(),
      }
    },
  })
