import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Turn } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

test('a turn that has ended is released from memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const turns: WeakRef<Turn>[] = []
  const before = async (turn: Turn) => void turns.push(new WeakRef(turn))
  await using oracle = await testApp({
    plugins: [officePlugin({ turn: { before } })],
    model: scriptedModel(['a', 'b']),
  })
  // The oracle may keep the latest turn a while.
  for (const text of ['one', 'two']) await oracle.chat(text, { session: 's1' })
  const isKept = () => {
    collect()
    return turns[0]?.deref() !== undefined
  }
  await expect.poll(isKept).toBe(false)
  expect(turns).toHaveLength(2)
})
