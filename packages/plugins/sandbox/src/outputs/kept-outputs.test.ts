import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { testLimits } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { createKeptOutputs, keptLimits } from './kept-outputs.ts'
import { type SandboxTables, sandboxMigrations } from './sandbox-tables.ts'

await onEachEngineWith<SandboxTables>('sandbox', sandboxMigrations)('kept outputs', ({ open }) => {
  const actor = (did: string, more: object = {}) => ({ did, via: 'ucan', ...more })
  const start = async (charactersOfAll?: number) => {
    let now = 1_000_000
    const parts = { storage: await open(), clock: { now: () => now }, limits: testLimits('open') }
    const outputs = createKeptOutputs(parts, charactersOfAll)
    const later = (ms: number) => {
      now += ms
    }
    const sweep = () => outputs.retention.apply({ now, signal: new AbortController().signal, archive: undefined })
    return { outputs, later, sweep }
  }

  test('are found by their owner, for a day', async () => {
    const { outputs, later } = await start()
    const [id = '', file = ''] = await outputs.keep(actor('did:a'), [
      { name: 'result', text: 'a\0b\ud800' },
      { name: 'file f', text: 'x' },
    ])
    expect(await outputs.find('did:a', id)).toEqual({ name: 'result', text: 'ab\ufffd' })
    expect(await outputs.find('did:a', file)).toEqual({ name: 'file f', text: 'x' })
    expect(await outputs.find('did:b', id)).toBeUndefined()
    later(keptLimits.keptMs)
    expect(await outputs.find('did:a', id)).toBeUndefined()
  })

  test('are deleted when they are expired', async () => {
    const { outputs, later, sweep } = await start()
    const [old = ''] = await outputs.keep(actor('did:a'), [{ name: 'result', text: 'old' }])
    later(keptLimits.keptMs)
    const [fresh = ''] = await outputs.keep(actor('did:a'), [{ name: 'result', text: 'fresh' }])
    await sweep()
    later(-keptLimits.keptMs)
    expect([await outputs.find('did:a', old), await outputs.find('did:a', fresh)]).toMatchObject([
      undefined,
      { text: 'fresh' },
    ])
  })

  test('the oldest of an owner go first', async () => {
    const { outputs, later } = await start()
    const [foreign = ''] = await outputs.keep(actor('did:b'), [{ name: 'result', text: 'b' }])
    const ids: string[] = []
    for (let index = 0; index < keptLimits.each + 1; index += 1) {
      later(1)
      ids.push(...(await outputs.keep(actor('did:a'), [{ name: 'result', text: String(index) }])))
    }
    const found = await Promise.all(ids.map(async id => (await outputs.find('did:a', id))?.text))
    expect(found).toEqual([undefined, ...ids.slice(1).map((_, index) => String(index + 1))])
    const large = 'x'.repeat(keptLimits.charactersEach - 1)
    const [kept = ''] = await outputs.keep(actor('did:a'), [{ name: 'result', text: large }])
    expect((await outputs.find('did:a', kept))?.text).toHaveLength(large.length)
    expect(await outputs.find('did:a', ids.at(-2) ?? '')).toBeUndefined()
    expect(await outputs.find('did:b', foreign)).toBeDefined()
  })

  test('those of fresh keys count for their holder', async () => {
    const { outputs, later } = await start()
    const [first = ''] = await outputs.keep(actor('did:a'), [{ name: 'result', text: 'first' }])
    for (let index = 0; index < keptLimits.each; index += 1) {
      later(1)
      await outputs.keep(actor(`did:key:${index}`, { holder: 'did:a' }), [{ name: 'result', text: 'x' }])
    }
    expect(await outputs.find('did:a', first)).toBeUndefined()
  })

  test('one address keeps its share of the room, and none goes beyond what is for all', async () => {
    const { outputs, later, sweep } = await start(1_000)
    const keep = (did: string, origin: string, length: number) =>
      outputs.keep(actor(did, { origin }), [{ name: 'result', text: 'x'.repeat(length) }])
    for (const did of ['did:1', 'did:2']) expect(await keep(did, 'a', 125)).toHaveLength(1)
    expect(await keep('did:3', 'a', 1)).toEqual([])
    for (const origin of ['b', 'c']) expect(await keep(`did:${origin}`, origin, 250)).toHaveLength(1)
    expect(await keep('did:d', 'd', 151)).toEqual([])
    expect(await keep('did:d', 'd', 150)).toHaveLength(1)
    later(keptLimits.keptMs)
    await sweep()
    expect(await keep('did:3', 'a', 250)).toHaveLength(1)
  })
})
