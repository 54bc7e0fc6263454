import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { defineTool, type Tool } from '@sibyl/plugin'
import { openStorage } from '@sibyl/storage'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CoreTables } from '../database/core-tables.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const never = new Promise<never>(() => {})

/** Creates sequential oracles on one database, with a writing and a reading tool, and one user. */
const setting = (folder: { readonly databaseUrl: string }) => {
  const key = createSigningKey()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const ran: string[] = []
  const tool = (effect: 'read' | 'write') =>
    defineTool({
      description: `Does a ${effect}.`,
      input: z.object({ line: z.string() }),
      effect,
      execute: async ({ line }) => {
        ran.push(line)
        return `result of ${line}`
      },
    }) as Tool
  const boot = async (steps: readonly ScriptedStep[]) => {
    const model = scriptedModel(steps)
    const plugins = [officePlugin({ tools: { book: tool('write'), look: tool('read') } })]
    const { app } = await testApp({ plugins, model, env })
    const actor = testActor(app, Date.now, key)
    return {
      model,
      send: () => actor.request('/chat', { json: { id: 's1', message: 'Book it' } }),
      regenerate: async (more: object = {}) =>
        readStream(await actor.request('/chat', { json: { id: 's1', trigger: 'regenerate-message', ...more } })),
      async outcomes() {
        const { messages } = await (await actor.request('/sessions/s1')).json()
        return messages.map(({ role, metadata }: { role: string; metadata: { outcome?: string } }) =>
          role === 'user' ? role : metadata.outcome,
        )
      },
      /** Ends it, with a turn as an earlier version stored it: no process continues it. */
      async close() {
        await app.close({ graceMs: 0 })
        const storage = await openStorage({ url: folder.databaseUrl })
        await storage.for<CoreTables>().write(tx => tx.updateTable('core_turns').set({ request: null }).execute())
        await storage.close()
      },
      [Symbol.asyncDispose]: () => app.close(),
    }
  }
  return { boot, ran }
}

const book: ScriptedStep = { tool: 'book', input: { line: 'a table' }, id: 'c1' }
const style: ScriptedStep = { tool: 'look', input: { line: 'the list' }, id: 'c2' }

test('an interrupted answer stays, and the model gets its finished calls', async () => {
  using folder = temporaryFolder()
  const { boot, ran } = setting(folder)
  const first = await boot([style, book, ['I have ', { wait: never }]])
  const reader = await streamReader(first.send())
  await reader.until('text-delta')
  await first.close()
  await using second = await boot(['It is booked.', 'It is booked, indeed.'])
  for (const [text, outcomes] of [
    ['It is booked.', ['user', 'interrupted', 'done']],
    ['It is booked, indeed.', ['user', 'interrupted', 'done']],
  ] as const) {
    const { text: output } = await second.regenerate()
    expect([output, await second.outcomes()]).toEqual([text, outcomes])
  }
  for (const { prompt } of second.model.calls) {
    const text = JSON.stringify(prompt)
    for (const known of ['Book it', 'result of the list', 'result of a table', 'I have ']) expect(text).toContain(known)
    expect(text).not.toContain('indeed')
    expect(prompt.at(-1)?.role).toBe('user')
  }
  expect(ran).toEqual(['the list', 'a table'])
})

test('after a regenerated answer the history alternates between user and assistant', async () => {
  using folder = temporaryFolder()
  const { boot } = setting(folder)
  const first = await boot([book, ['I have ', { wait: never }]])
  const reader = await streamReader(first.send())
  await reader.until('text-delta')
  await first.close()
  await using second = await boot(['It is booked.', 'You are welcome.'])
  await second.regenerate()
  await readStream(await second.send())
  const roles = second.model.calls[1]?.prompt.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'])
})

test('a finished answer that changed something stays, one that only read is replaced', async () => {
  using folder = temporaryFolder()
  const { boot, ran } = setting(folder)
  await using oracle = await boot([style, 'Seen.', book, 'Booked.', 'Booked before.', 'Once more.'])
  await readStream(await oracle.send())
  expect((await oracle.regenerate()).text).toBe('Booked.')
  expect(await oracle.outcomes()).toEqual(['user', 'done'])
  expect((await oracle.regenerate()).text).toBe('Booked before.')
  expect(await oracle.outcomes()).toEqual(['user', 'done', 'done'])
  expect(JSON.stringify(oracle.model.calls[4]?.prompt)).toContain('result of a table')
  expect((await oracle.regenerate()).text).toBe('Once more.')
  expect(await oracle.outcomes()).toEqual(['user', 'done', 'done'])
  expect(ran).toEqual(['the list', 'a table'])
})
