import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { defineTool, type Tool } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const never = new Promise<never>(() => {})

/** Creates sequential oracles on one database, with a tool that writes, and one user. */
const setting = (folder: { readonly databaseUrl: string }) => {
  const key = createSigningKey()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const ran: string[] = []
  const book = defineTool({
    description: 'Books.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    execute: async ({ line }) => {
      ran.push(line)
      return `booked ${line}`
    },
  }) as Tool
  const boot = async (steps: readonly ScriptedStep[]) => {
    const model = scriptedModel(steps)
    const { app } = await testApp({ plugins: [officePlugin({ tools: { book } })], model, env })
    const actor = testActor(app, Date.now, key)
    const send = (id: string, text: string, more: object = {}) =>
      actor.request('/chat', {
        json: { id: 's1', messages: [{ id, role: 'user', parts: [{ type: 'text', text }] }], ...more },
      })
    return {
      model,
      actor,
      app,
      send,
      /** Sends what `useChat` sends for `sendMessage({ text, messageId })`. */
      edit: (messageId: string, text: string) => send(messageId, text, { trigger: 'submit-message', messageId }),
      async session() {
        const { title, messages } = await (await actor.request('/sessions/s1')).json()
        const content = messages.map(({ parts }: { parts: { type: string; text?: string }[] }) =>
          parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(''),
        )
        return { title, said: content }
      },
      close: () => app.close({ graceMs: 0 }),
      [Symbol.asyncDispose]: () => app.close(),
    }
  }
  return { boot, ran }
}

const text = async (answer: Promise<Response>) => (await readStream(await answer)).text

test('an edited message replaces itself and everything after it', async () => {
  using folder = temporaryFolder()
  await using oracle = await setting(folder).boot(['One.', 'Two.', 'Two again.', 'Three.'])
  await text(oracle.send('m1', 'first'))
  await text(oracle.send('m2', 'secnd'))
  expect(await text(oracle.edit('m2', 'second'))).toBe('Two again.')
  expect(await oracle.session()).toEqual({ title: 'first', said: ['first', 'One.', 'second', 'Two again.'] })
  expect(JSON.stringify(oracle.model.calls[2]?.prompt)).not.toContain('secnd')
  expect(await text(oracle.edit('m1', 'anew'))).toBe('Three.')
  expect(await oracle.session()).toEqual({ title: 'anew', said: ['anew', 'Three.'] })
})

test('a repeated request is the same edit; an edit back to an earlier text is another one', async () => {
  using folder = temporaryFolder()
  await using oracle = await setting(folder).boot(['A.', 'B.', 'A again.', 'B again.'])
  await text(oracle.send('m1', 'a'))
  expect(await text(oracle.edit('m1', 'b'))).toBe('B.')
  expect(await text(oracle.edit('m1', 'b'))).toBe('B.')
  expect(oracle.model.calls.length).toBe(2)
  expect(await text(oracle.edit('m1', 'a'))).toBe('A again.')
  expect(await text(oracle.edit('m1', 'b'))).toBe('B again.')
  expect(await oracle.session()).toMatchObject({ said: ['b', 'B again.'] })
  const late = await oracle.send('m1', 'a')
  expect([late.status, (await late.json()).code]).toEqual([409, 'message_id_taken'])
})

test('an edit of a message that the session does not have is a new message', async () => {
  using folder = temporaryFolder()
  await using oracle = await setting(folder).boot(['One.', 'Two.'])
  await text(oracle.send('m1', 'first'))
  expect(await text(oracle.edit('m9', 'second'))).toBe('Two.')
  expect(await oracle.session()).toMatchObject({ said: ['first', 'One.', 'second', 'Two.'] })
})

test('an answer cannot be edited, and the history stays', async () => {
  using folder = temporaryFolder()
  await using oracle = await setting(folder).boot(['One.'])
  const { events } = await readStream(await oracle.send('m1', 'first'))
  const refused = await oracle.edit(String(events[0]?.messageId), 'mine')
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'message_id_taken'])
  expect(await oracle.session()).toMatchObject({ said: ['first', 'One.'] })
})

test('an answer that changed something stays with its question, so that the model does not repeat it', async () => {
  using folder = temporaryFolder()
  const { boot, ran } = setting(folder)
  const call: ScriptedStep = { tool: 'book', input: { line: 'a table' }, id: 'c1' }
  await using oracle = await boot([call, 'Booked.', 'It is booked already.'])
  await text(oracle.send('m1', 'Book a table'))
  expect(await text(oracle.edit('m1', 'Book a table for five'))).toBe('It is booked already.')
  expect(await oracle.session()).toEqual({
    title: 'Book a table',
    said: ['Book a table', 'Booked.', 'Book a table for five', 'It is booked already.'],
  })
  const roles = oracle.model.calls[2]?.prompt.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
  expect(JSON.stringify(oracle.model.calls[2]?.prompt)).toContain('booked a table')
  expect(ran).toEqual(['a table'])
})

test('is refused while a turn with a reader runs, and continues after a restart', async () => {
  using folder = temporaryFolder()
  const { boot } = setting(folder)
  const first = await boot(['One.', ['Two ', { wait: never }]])
  await text(first.send('m1', 'first'))
  const reader = await streamReader(first.edit('m1', 'edited'))
  await reader.until('text-delta')
  const refused = await first.edit('m1', 'edited again')
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'turn_running'])
  await first.close()
  await using second = await boot(['Two.', 'Three.'])
  await expect.poll(() => second.session()).toEqual({ title: 'edited', said: ['edited', 'Two.'] })
  expect(await text(second.edit('m1', 'edited again'))).toBe('Three.')
  expect(await second.session()).toMatchObject({ said: ['edited again', 'Three.'] })
})

test("another user's message of the same id is not touched", async () => {
  using folder = temporaryFolder()
  await using oracle = await setting(folder).boot(['One.', 'Two.'])
  await text(oracle.send('m1', 'first'))
  const stranger = testActor(oracle.app)
  const json = {
    id: 's1',
    messageId: 'm1',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'mine' }] }],
  }
  await readStream(await stranger.request('/chat', { json }))
  expect(await oracle.session()).toMatchObject({ said: ['first', 'One.'] })
})
