import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { defineTool, PersonNeeded, type Tool } from '@sibyl/plugin'
import {
  readStream,
  type ScriptedStep,
  scriptedModel,
  streamReader,
  type TestActor,
  testActor,
  testApp,
} from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { questionsOf } from '../testing/approval-questions.ts'
import { startKillableOracle } from '../testing/killable-oracle.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts'

const setting = (folder: TemporaryFolder) => {
  const mnemonic = createMnemonic(12).reveal()
  const key = createSigningKey()
  const journal = join(folder.path, 'journal')
  const { databaseUrl } = folder
  const started = (script: string) => startKillableOracle({ databaseUrl, mnemonic, journal, script }, key)
  const restarted = async (steps: readonly ScriptedStep[]) => {
    const ran: string[] = []
    const append = defineTool({
      description: 'Writes a line.',
      input: z.object({ line: z.string() }),
      effect: 'write',
      async execute({ line }, { answer, idempotencyKey }) {
        if (!answer) throw new PersonNeeded({ text: 'Really?' })
        ran.push(`ran ${line} ${idempotencyKey}`)
        return 'written'
      },
    }) as Tool
    const model = scriptedModel(steps)
    const plugin = officePlugin({ tools: { append, append_questioning: append } })
    const oracle = await testApp({
      plugins: [plugin],
      model,
      env: { DATABASE_URL: databaseUrl, ORACLE_MNEMONIC: mnemonic },
    })
    const actor = testActor(oracle.app, Date.now, key)
    return { oracle, actor, model, ran, [Symbol.asyncDispose]: () => oracle.app.close() }
  }
  const journalLines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : [])
  return { started, restarted, ranBefore: () => journalLines().filter(line => line.startsWith('ran')) }
}

const send = (actor: TestActor) =>
  actor.request('/chat', {
    json: { id: 's1', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'write it' }] } },
  })

const answer = (actor: TestActor, approvalId: unknown, data: object = {}) =>
  actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once', data } })

const partsOf = async (actor: TestActor) =>
  (await (await actor.request('/sessions/s1')).json()).messages[1].parts as {
    type: string
    state?: string
    id?: string
    data: { toolCallId: string }
  }[]

test('killed after the question, while another call runs: it is shown again beside that of the other call', async () => {
  using folder = temporaryFolder()
  const { started, restarted, ranBefore } = setting(folder)
  await using before = await started('question-and-write')
  const reader = await streamReader(send(before.actor))
  const waitingFor = new Set(['tool-approval-request', 'data-begun'])
  await reader.until(({ type }) => waitingFor.delete(type) && waitingFor.size === 0)
  await before.end('SIGKILL')
  const [question] = questionsOf(reader)
  const turnId = reader.events[0]?.eventId.split(':')[0]
  await using after = await restarted(['done'])
  await readStream(await send(after.actor))
  const parts = await partsOf(after.actor)
  const shown = parts.filter(({ type }) => type === 'data-question')
  expect(shown.toSorted((one, other) => (one.data.toolCallId < other.data.toolCallId ? -1 : 1))).toMatchObject([
    { id: question?.approvalId, data: { text: 'Really?', toolCallId: 'c1' } },
    { data: { text: expect.stringContaining('Did it take effect?'), toolCallId: 'c2' } },
  ])
  expect(parts.flatMap(({ state }) => state ?? [])).toEqual(['approval-requested', 'approval-requested'])
  const outcome = shown.find(({ id }) => id !== question?.approvalId)
  const decided = await answer(after.actor, outcome?.id, { outcome: 'applied' })
  expect(await decided.json()).toEqual({ waiting: [question?.approvalId] })
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => readStream(await answer(after.actor, question?.approvalId))),
  )
  expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'done'))
  expect(after.ran).toEqual([`ran asked ${turnId}:c1`])
  expect(ranBefore()).toEqual([`ran one ${turnId}:c2`])
})

test('killed while the call continues with the answer: it is not run again before its user is asked', async () => {
  using folder = temporaryFolder()
  const { started, restarted, ranBefore } = setting(folder)
  await using before = await started('question')
  const asked = await readStream(await send(before.actor))
  const [question] = questionsOf(asked)
  const reader = await streamReader(answer(before.actor, question?.approvalId))
  await reader.until('data-begun')
  await before.end('SIGKILL')
  await using after = await restarted(['I see.'])
  const again = await readStream(await answer(after.actor, question?.approvalId))
  const [outcome] = questionsOf(again)
  expect(outcome?.reason).toContain('Did it take effect?')
  const decided = await readStream(await answer(after.actor, outcome?.approvalId))
  expect(decided.text).toBe('I see.')
  const call = (await partsOf(after.actor)).find(({ state }) => state !== undefined)
  expect(call).toMatchObject({ state: 'output-error', errorText: expect.stringMatching(/^Outcome unknown/) })
  expect(after.ran).toEqual([])
  expect(ranBefore()).toEqual([`ran asked ${asked.events[0]?.eventId.split(':')[0]}:c1`])
})
