import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { onEachEngine } from './testing/each-engine.test.helper.ts'

const writer = fileURLToPath(new URL('./testing/crash-writer.ts', import.meta.url))
const ROUNDS = 3

interface Killed {
  readonly recovered: boolean
  readonly acknowledged: readonly string[]
}

/** Starts a process that writes, kills it after so many acknowledgements and a little, and gives what it said. */
const writeUntilKilled = async (url: string, prefix: string, after: number): Promise<Killed> => {
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', writer, url, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    if (lines.length === after) setTimeout(() => child.kill('SIGKILL'), Math.random() * 3)
  }
  const [, signal] = await ended
  expect(signal).toBe('SIGKILL')
  return { recovered: lines[0] === 'open true', acknowledged: lines.slice(1) }
}

await onEachEngine('a killed process', engine => {
  test('loses no write that it acknowledged', async () => {
    const url = await engine.emptyDatabase()
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const killed = await writeUntilKilled(url, `${round}`, 2 + Math.floor(Math.random() * 400))
      expect(killed.acknowledged.length).toBeGreaterThan(0)
      expect(killed.recovered).toBe(engine.name === 'sqlite' && round > 0)
      acknowledged.push(...killed.acknowledged)
    }
    const storage = await engine.open<{ entry: { id: string; text: string } }>({ url })
    const rows = await storage.read.selectFrom('entry').select('id').execute()
    const kept = new Set(rows.map(row => row.id))
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([])
    expect(kept.size).toBe(rows.length)
  })
})
