import { createMnemonic } from '@sibyl/identity'
import {
  type Actor,
  defineAgent,
  defineTool,
  type Host,
  type Refusal,
  type Tool,
  type TurnRequest,
} from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const client: Actor = { did: 'did:key:z6MkmcpClient', via: 'api-key', scopes: ['*'] }

const never = new Promise<never>(() => {})

/** Starts oracles one after the other on one database; each plays a script of its own, and hands over at its end. */
const setting = (folder: { readonly databaseUrl: string }) => {
  const mnemonic = createMnemonic(12).reveal()
  const ran: string[] = []
  const answers: string[] = []
  const asked: string[] = []
  const note = (hangs: boolean, effect: 'read' | 'write') =>
    defineTool({
      description: 'Notes a line.',
      input: z.object({ line: z.string(), place: z.string().optional() }),
      effect,
      execute: async ({ line }, { idempotencyKey, emit }) => {
        ran.push(`${line} ${idempotencyKey.split(':')[1]}`)
        emit({ name: 'begun', data: line })
        return hangs ? never : `noted ${line}`
      },
    }) as Tool
  const started = async (
    steps: readonly ScriptedStep[],
    {
      hangs = false,
      before,
      dispose,
    }: { hangs?: boolean; before?: () => Refusal | undefined; dispose?: () => Promise<void> } = {},
  ) => {
    const ready = Promise.withResolvers<Host>()
    const office = samplePlugin('office', {
      manifest: { title: 'Office', summary: 'Notes.', whenToUse: ['always'], load: 'always' },
      setup: (host: Host) => {
        ready.resolve(host)
        host.jobs.define('office/ask', z.object({ text: z.string() }), async ({ text }, { attempt }) => {
          const turn = await host.turns.run({ ...request(text), dedupeKey: 'ask' })
          if ('refused' in turn) throw new Error(turn.refused.code)
          answers.push(`${attempt} ${(await turn.finished).text}`)
        })
        return {
          ...(dispose ? { dispose } : {}),
          tools: {
            note: note(hangs, 'write'),
            look: note(hangs, 'read'),
            pay: { ...note(false, 'write'), approval: 'user' as const },
            clerk: defineAgent({
              description: 'Notes lines.',
              instructions: 'You are a clerk.',
              tools: ['note'],
              effect: 'write',
            }),
          },
          turn: {
            before: async ({ id }) => {
              asked.push(id)
              return before?.()
            },
          },
        }
      },
    })
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: mnemonic }
    const model = scriptedModel(steps)
    const oracle = await testApp({ plugins: [office], model, env })
    const host = await ready.promise
    const run = async (more: Partial<TurnRequest>) => {
      const turn = await host.turns.run({ ...request('Do it.'), ...more })
      if ('refused' in turn) throw new Error(turn.refused.code)
      return turn
    }
    return { host, model, run, close: () => oracle.app.close(), [Symbol.asyncDispose]: () => oracle.app.close() }
  }
  return { started, ran, answers, asked }
}

const request = (text: string): TurnRequest => ({
  actor: client,
  session: 's1',
  text,
  channel: 'mcp',
  whenBusy: 'queue',
  approvals: 'ask',
})

type Turn = Awaited<ReturnType<Awaited<ReturnType<ReturnType<typeof setting>['started']>>['run']>>

const until = async (turn: Turn, type: string) => {
  for await (const { event } of turn.events) if (event.type === type) return
}

test('a job that waits for a turn gets its answer in the next process, and no attempt counts', async () => {
  using folder = temporaryFolder()
  const { started, answers } = setting(folder)
  await using first = await started([['partial ', { wait: never }]])
  await first.host.jobs.enqueue('office/ask', { text: 'hello' })
  await expect.poll(() => first.model.calls.length).toBe(1)
  await first.close()
  expect(answers).toEqual([])
  await using _ = await started(['the whole answer'])
  await expect.poll(() => answers).toEqual(['1 the whole answer'])
})

test('a plugin that waits for a turn learns that another process continues it', async () => {
  using folder = temporaryFolder()
  const { started, asked } = setting(folder)
  await using first = await started([['partial ', { wait: never }]])
  const turn = await first.run({ dedupeKey: 'k' })
  await until(turn, 'text-delta')
  await first.close()
  await expect(turn.finished).rejects.toMatchObject({ code: 'turn_handed_over', status: 503 })
  await using next = await started(['the whole answer'])
  const again = await next.run({ dedupeKey: 'k' })
  expect(again.turnId).toBe(turn.turnId)
  expect(await again.finished).toMatchObject({ outcome: 'done', text: 'the whole answer' })
  expect(asked).toEqual([turn.turnId, turn.turnId])
})

test('a turn that a plugin refuses when it continues is interrupted', async () => {
  using folder = temporaryFolder()
  const { started } = setting(folder)
  await using first = await started([['partial ', { wait: never }]])
  const { turnId, ...turn } = await first.run({})
  await until({ turnId, ...turn }, 'text-delta')
  await first.close()
  await using next = await started([], { before: () => ({ status: 402, code: 'no_credit', detail: 'No credit.' }) })
  const again = await next.host.turns.follow(client.did, turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'interrupted', code: 'turn_interrupted' })
})

test('the calls of a client continue: a read runs again, and its user is asked about a write', async () => {
  using folder = temporaryFolder()
  const { started, ran } = setting(folder)
  await using first = await started([], { hangs: true })
  const read = await first.run({ session: 'read', call: { tool: 'look', input: { line: 'one' } } })
  const write = await first.run({ session: 'write', call: { tool: 'note', input: { line: 'two' } } })
  await Promise.all([until(read, 'data-begun'), until(write, 'data-begun')])
  await first.close()
  await using next = await started([])
  const [readAgain, writeAgain] = await Promise.all(
    [read, write].map(({ turnId }) => next.host.turns.follow(client.did, turnId)),
  )
  expect(await readAgain?.finished).toMatchObject({ outcome: 'done' })
  expect(await writeAgain?.finished).toMatchObject({ outcome: 'awaiting-approval' })
  const [question] = await next.host.turns.pending(client.did, 'write')
  const data = { outcome: 'not applied' }
  const decided = await next.host.turns.decide(client, question!.approvalId, 'once', data)
  if ('refused' in decided) throw new Error(decided.refused.code)
  expect(await decided.turn?.finished).toMatchObject({ outcome: 'done' })
  expect(ran.map(line => line.split(' ')[0]).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  expect(new Set(ran.filter(line => line.startsWith('two'))).size).toBe(1)
})

test('an answer with a schema in zod has its form when another process continues it', async () => {
  using folder = temporaryFolder()
  const { started } = setting(folder)
  await using first = await started([['{"name": ', { wait: never }]])
  const turn = await first.run({ outputSchema: z.object({ name: z.string() }) })
  await expect.poll(() => first.model.calls.length).toBe(1)
  await first.close()
  await using next = await started(['{"name": 1}', '{"name": "Ada"}'])
  const again = await next.host.turns.follow(client.did, turn.turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'done', text: '{"name": "Ada"}' })
  expect(next.model.calls).toHaveLength(2)
})

test('an agent works again, and what it wrote before does not run again, whatever the order of its arguments', async () => {
  using folder = temporaryFolder()
  const { started, ran } = setting(folder)
  const task = { tool: 'clerk', input: { task: 'Note one and two.' }, id: 'outer' }
  const line = (text: string, id: string) => ({ tool: 'note', input: { line: text, place: 'here' }, id })
  await using first = await started([task, line('one', 'a'), ['partial ', { wait: never }]])
  const turn = await first.run({})
  await expect.poll(() => first.model.calls.length).toBe(3)
  await first.close()
  const other = { tool: 'note', input: { place: 'here', line: 'one' }, id: 'x' }
  await using next = await started([line('two', 'w'), other, line('one', 'y'), 'noted', 'All is noted.'])
  const again = await next.host.turns.follow(client.did, turn.turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'done', text: 'All is noted.' })
  expect(ran.map(line => line.split(' ')[0])).toEqual(['one', 'two', 'one'])
  expect(new Set(ran).size).toBe(3)
  expect(JSON.stringify(next.model.calls[2]?.prompt)).toContain('noted one')
})

test('a turn that waits for its user continues with the other calls of its step, and its question stays', async () => {
  using folder = temporaryFolder()
  const { started, ran } = setting(folder)
  const call = (tool: string, line: string) => ({ tool, input: { line }, id: line })
  await using first = await started([[call('pay', 'one'), call('note', 'two')]], { hangs: true })
  const turn = await first.run({})
  await until(turn, 'data-begun')
  const [question] = await first.host.turns.pending(client.did, 's1')
  await first.close()
  await using next = await started(['paid'])
  const again = await next.host.turns.follow(client.did, turn.turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'awaiting-approval' })
  const pending = await next.host.turns.pending(client.did, 's1')
  expect(pending.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(['one', 'two'])
  const outcome = pending.find(({ toolCallId }) => toolCallId === 'two')
  await next.host.turns.decide(client, outcome!.approvalId, 'once', { outcome: 'applied' })
  const decided = await next.host.turns.decide(client, question!.approvalId, 'once')
  if ('refused' in decided) throw new Error(decided.refused.code)
  expect(await decided.turn?.finished).toMatchObject({ outcome: 'done', text: 'paid' })
  expect(ran.map(line => line.split(' ')[0])).toEqual(['two', 'one'])
})

test('a step that begins again withdraws what its calls had asked', async () => {
  using folder = temporaryFolder()
  const { started, ran } = setting(folder)
  const pay = (id: string) => ({ tool: 'pay', input: { line: 'one' }, id })
  await using first = await started([[pay('a'), { wait: never }]])
  const turn = await first.run({})
  await until(turn, 'tool-approval-request')
  const [question] = await first.host.turns.pending(client.did, 's1')
  await first.close()
  await using next = await started([pay('b'), 'paid'])
  const again = await next.host.turns.follow(client.did, turn.turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'awaiting-approval' })
  const [asked, ...more] = await next.host.turns.pending(client.did, 's1')
  expect([asked?.toolCallId, more]).toEqual(['b', []])
  const late = await next.host.turns.decide(client, question!.approvalId, 'once')
  expect(late).toMatchObject({ refused: { code: 'approval_withdrawn' } })
  const decided = await next.host.turns.decide(client, asked!.approvalId, 'once')
  if ('refused' in decided) throw new Error(decided.refused.code)
  expect(await decided.turn?.finished).toMatchObject({ outcome: 'done', text: 'paid' })
  expect(ran).toHaveLength(1)
})

test('no reader makes an ending process interrupt a turn that it handed over', async () => {
  using folder = temporaryFolder()
  const { started } = setting(folder)
  const [ending, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const dispose = () => {
    ending.resolve()
    return asked.promise
  }
  await using first = await started([['partial ', { wait: never }]], { dispose })
  const turn = await first.run({})
  await until(turn, 'text-delta')
  const closed = first.close()
  await ending.promise
  await first.host.turns.follow(client.did, turn.turnId)
  asked.resolve()
  await closed
  await using next = await started(['the whole answer'])
  const again = await next.host.turns.follow(client.did, turn.turnId)
  expect(await again?.finished).toMatchObject({ outcome: 'done', text: 'the whole answer' })
})

test('five deploys during one turn use up none of its attempts', async () => {
  using folder = temporaryFolder()
  const { started } = setting(folder)
  let turnId: string | undefined
  for (let deploy = 0; deploy < 5; deploy += 1) {
    await using process = await started([['partial ', { wait: never }]])
    if (turnId === undefined) turnId = (await process.run({})).turnId
    await expect.poll(() => process.model.calls.length).toBe(1)
  }
  await using last = await started(['the whole answer'])
  const turn = await last.host.turns.follow(client.did, turnId!)
  expect(await turn?.finished).toMatchObject({ outcome: 'done', text: 'the whole answer' })
})
