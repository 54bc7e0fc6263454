import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { createKeptOutputs, keptLimits } from './kept-outputs.ts'
import { type SandboxTables, sandboxMigrations } from './sandbox-tables.ts'

await onEachEngineWith<SandboxTables>('sandbox', sandboxMigrations)('kept outputs', ({ open }) => {
  const start = async () => {
    let now = 1_000_000
    const outputs = createKeptOutputs({ storage: await open(), clock: { now: () => now } })
    const later = (ms: number) => {
      now += ms
    }
    return { outputs, later }
  }

  test('are found by their owner, for a day', async () => {
    const { outputs, later } = await start()
    const [id = '', file = ''] = await outputs.keep('did:a', [
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
    const { outputs, later } = await start()
    const [old = ''] = await outputs.keep('did:a', [{ name: 'result', text: 'old' }])
    later(keptLimits.keptMs)
    const [fresh = ''] = await outputs.keep('did:a', [{ name: 'result', text: 'fresh' }])
    await outputs.sweep()
    later(-keptLimits.keptMs)
    expect([await outputs.find('did:a', old), await outputs.find('did:a', fresh)]).toMatchObject([
      undefined,
      { text: 'fresh' },
    ])
  })

  test('the oldest of an owner go first', async () => {
    const { outputs, later } = await start()
    const [foreign = ''] = await outputs.keep('did:b', [{ name: 'result', text: 'b' }])
    const ids: string[] = []
    for (let index = 0; index < keptLimits.each + 1; index += 1) {
      later(1)
      ids.push(...(await outputs.keep('did:a', [{ name: 'result', text: String(index) }])))
    }
    const found = await Promise.all(ids.map(async id => (await outputs.find('did:a', id))?.text))
    expect(found).toEqual([undefined, ...ids.slice(1).map((_, index) => String(index + 1))])
    const large = 'x'.repeat(keptLimits.charactersEach - 1)
    const [kept = ''] = await outputs.keep('did:a', [{ name: 'result', text: large }])
    expect((await outputs.find('did:a', kept))?.text).toHaveLength(large.length)
    expect(await outputs.find('did:a', ids.at(-2) ?? '')).toBeUndefined()
    expect(await outputs.find('did:b', foreign)).toBeDefined()
  })
})
