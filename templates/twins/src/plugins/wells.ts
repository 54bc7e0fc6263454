import { column, definePlugin, defineTable, defineTool, type EnvSchema, type TablesOf } from '@sibyl/plugin'
import { entityRegistry } from '@sibyl/plugin-entities/records'
import { z } from 'zod'
import { wellProtocol } from './well-protocol.ts'

const protocols = defineTable('wells_protocol', { did: column.text().primaryKey() })

type WellsTables = TablesOf<[typeof protocols]>

/** Registers wells as digital twins, all under one protocol. */
export const wells = () =>
  definePlugin<EnvSchema, WellsTables>({
    name: 'wells',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Wells',
      summary: 'Registers the wells of a programme as digital twins.',
      whenToUse: ['someone reports a new well'],
      load: 'on-demand',
      examples: [
        {
          user: ['Add the well {name} in {village}', 'There is a new well called {name} in {village}'],
          tool: 'add_well',
          args: { name: '{name}', village: '{village}' },
          answer: 'The well {name} in {village} is registered. Its DID is {did}',
        },
      ],
    },
    requires: ['entities'],
    migrations: { '001_protocol': protocols.create },
    setup({ service, storage }) {
      const registry = service(entityRegistry)

      const protocolDid = async (): Promise<string> => {
        const kept = await storage.read.selectFrom('wells_protocol').select('did').executeTakeFirst()
        if (kept) return kept.did
        // The key makes it one protocol, also where two ask at the same time.
        const { entity } = await registry.create(wellProtocol, { idempotencyKey: 'well-protocol' })
        await storage.write(tx =>
          tx
            .insertInto('wells_protocol')
            .values({ did: entity.did })
            .onConflict(it => it.doNothing())
            .execute(),
        )
        return entity.did
      }

      return {
        tools: {
          add_well: defineTool({
            description: 'Registers a well of a village as a digital twin.',
            effect: 'write',
            ability: 'entities/write',
            input: z.object({
              name: z.string().trim().min(1).max(80).describe("What people call it: 'Kasisi North'"),
              village: z.string().trim().min(1).max(80).describe('Where it is'),
            }),
            output: z.object({ did: z.string(), name: z.string(), village: z.string() }),
            async execute({ name, village }, { idempotencyKey }) {
              const creation = { type: 'Well', protocol: await protocolDid(), properties: { name, village } }
              const { entity } = await registry.create(creation, { idempotencyKey })
              return { did: entity.did, name, village }
            },
          }),
        },
      }
    },
  })
