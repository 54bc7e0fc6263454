import type { Storage } from '@sibyl/storage'
import { expect, it } from 'vitest'
import { didOf, putEntities } from '../graph/graph.test.helper.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createProtocolStore } from './protocol-store.ts'

const version = (number: number, count: number): ProtocolDefinition => ({
  did: didOf(number),
  version: count,
  properties: { [`p${count}`]: { type: 'string' } },
  relationships: {},
})

await onEachEngine('versions of protocols', ({ open }) => {
  const publish = (storage: Storage<EntitiesTables>, ...definitions: ProtocolDefinition[]) =>
    storage.write(tx => createProtocolStore(storage).insert(definitions, definitions[0]!.version * 1_000, tx))

  it('are found by number, and the newest one as soon as it is written', async () => {
    const storage = await open()
    const [here, elsewhere] = [createProtocolStore(storage), createProtocolStore(storage)]
    await putEntities(storage, [{ number: 1 }, { number: 2, status: 'deactivated' }])
    await publish(storage, version(1, 1), version(2, 1))
    expect(await Promise.all([1, 2, 1].map(number => here.find(didOf(number))))).toEqual([
      version(1, 1),
      version(2, 1),
      version(1, 1),
    ])
    expect(await elsewhere.find(didOf(1))).toEqual(version(1, 1))
    await publish(storage, version(1, 2))
    for (const store of [here, elsewhere]) {
      expect(await store.find(didOf(1))).toEqual(version(1, 2))
      expect(await store.find(didOf(1), 1)).toEqual(version(1, 1))
      expect(await store.find(didOf(1), 3)).toBeUndefined()
      expect(await store.published(didOf(1), 1)).toEqual({
        definition: version(1, 1),
        status: 'active',
        controller: expect.any(String),
        newest: 2,
        retired: false,
        createdAt: 1_000,
      })
      expect((await store.published(didOf(2)))?.status).toBe('deactivated')
      expect(await store.find(didOf(1).replace('localhost', 'elsewhere'))).toBeUndefined()
      expect(await store.find(didOf(1).replace('localhost', 'elsewhere'), 1)).toBeUndefined()
      expect(await store.find(didOf(3))).toBeUndefined()
      expect(await store.find('did:key:z6Mk', 1)).toBeUndefined()
    }
  })

  it('a failed write stores nothing', async () => {
    const storage = await open()
    const store = createProtocolStore(storage)
    await putEntities(storage, [{ number: 1 }])
    await publish(storage, version(1, 1))
    const failed = storage.write(async tx => {
      await store.insert([version(1, 2)], 1, tx)
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    expect(await store.find(didOf(1))).toEqual(version(1, 1))
    await expect(publish(storage, version(1, 1))).rejects.toMatchObject({ code: 'constraint_violated' })
  })

  it('are listed page by page', async () => {
    const storage = await open()
    const store = createProtocolStore(storage)
    const numbers = [1, 2, 3, 4, 5]
    await putEntities(
      storage,
      numbers.map(number => ({ number })),
    )
    for (const count of [1, 2, 3])
      await publish(storage, ...numbers.slice(count - 1).map(number => version(number, count)))
    const page = await store.list(2)
    expect(page.map(({ definition }) => definition)).toEqual([version(5, 3), version(4, 3)])
    const rest = await store.list(9, didOf(4))
    expect(rest.map(({ definition }) => definition)).toEqual([version(3, 3), version(2, 2), version(1, 1)])
    expect(await store.versions(didOf(5), 2)).toEqual([
      { version: 3, createdAt: 3_000, retired: false },
      { version: 2, createdAt: 2_000, retired: false },
    ])
    expect(await store.versions(didOf(5), 2, 2)).toEqual([{ version: 1, createdAt: 1_000, retired: false }])
    expect(await store.versions(didOf(9), 2)).toEqual([])
  })
})
