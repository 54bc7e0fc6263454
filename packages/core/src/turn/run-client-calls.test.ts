import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, type Host, PersonNeeded, type StartedTurn, type TurnRequest } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { till } from '../testing/till.ts'

const client: Actor = { did: 'did:key:z6MkmcpClient', via: 'api-key', scopes: ['*'] }

const boot = async (env: Record<string, string> = {}, steps: readonly ScriptedStep[] = []) => {
  const ready = Promise.withResolvers<Turns>()
  const channel = samplePlugin('channel', {
    setup: (host: Host) => {
      ready.resolve(host.turns)
      return {}
    },
  })
  const { parts, payments } = till()
  const ask = {
    description: 'Asks for a name.',
    input: z.object({}),
    effect: 'write' as const,
    async execute(_: unknown, { answer }: { answer?: { data?: unknown } }) {
      if (!answer) throw new PersonNeeded({ text: 'Which name?', schema: { type: 'object', properties: {} } })
      return { answer: answer.data ?? null }
    },
  }
  const openVault = {
    description: 'Opens the vault.',
    input: z.object({}),
    effect: 'read' as const,
    execute: async () => ({ gold: 1 }),
  }
  const model = scriptedModel(steps)
  const oracle = await testApp({
    plugins: [
      channel,
      officePlugin({ tools: { ...parts.tools, ask } }),
      officePlugin({ tools: { open_vault: openVault } }, 'vault', 'on-demand'),
    ],
    model,
    env,
  })
  onTestFinished(() => oracle.app.close())
  const turns = await ready.promise
  const call = async (tool: string, input: object = {}, rest: Partial<TurnRequest> = {}) =>
    read(
      started(
        await turns.run({
          actor: client,
          session: 's1',
          text: `Call ${tool}`,
          call: { tool, input: input as never },
          channel: 'mcp',
          whenBusy: 'queue',
          approvals: 'ask',
          ...rest,
        }),
      ),
    )
  return { oracle, turns, call, payments, model }
}

const started = (result: Awaited<ReturnType<Turns['run']>>): StartedTurn => {
  if ('refused' in result) throw new Error(`refused: ${result.refused.code}`)
  return result
}

const read = async (turn: StartedTurn) => {
  const events: Record<string, unknown>[] = []
  for await (const { event } of turn.events) events.push(event)
  const result = await turn.finished
  const approvalId = String(events.find(({ type }) => type === 'tool-approval-request')?.approvalId)
  return { events, result, approvalId, output: events.find(({ type }) => type === 'tool-output-available')?.output }
}

test('a turn of one call runs it without the model, and stores no message of the user', async () => {
  const { call, model } = await boot()
  const { events, output, result } = await call('look')
  expect(events.map(({ type }) => type)).toEqual([
    'start',
    'start-step',
    'tool-input-available',
    'tool-output-available',
    'finish-step',
    'finish',
  ])
  expect(output).toEqual({ inside: 100 })
  expect(result).toMatchObject({ outcome: 'done', text: '', usage: { inputTokens: 0 } })
  expect(events.at(-1)).toMatchObject({ messageMetadata: { model: 'none' } })
  expect(model.calls).toEqual([])
})

test('members of the input that the tool does not know are neither sent nor stored', async () => {
  const { call, turns } = await boot()
  const { approvalId, events } = await call('pay', { amount: 5, note: 'x'.repeat(1_000), more: { x: 1 } })
  expect(events.find(({ type }) => type === 'tool-input-available')?.input).toEqual({ amount: 5 })
  const [pending] = await turns.pending(client.did, 's1')
  expect(pending).toMatchObject({ approvalId, input: { amount: 5 } })
})

test('invalid arguments and unknown tools are errors of the call', async () => {
  const { call, payments } = await boot()
  for (const [tool, input] of [
    ['pay', { amount: 'all' }],
    ['rob', {}],
    ['open_vault', {}],
  ] as const) {
    const { events, result } = await call(tool, input)
    expect(events.map(({ type }) => type)).toContain('tool-input-error')
    expect(result.outcome).toBe('done')
  }
  expect(payments).toEqual([])
})

test('the session loads capabilities first, and keeps them', async () => {
  const { call, turns } = await boot()
  expect((await call('open_vault', {}, { capabilities: ['vault'] })).output).toEqual({ gold: 1 })
  expect((await call('open_vault')).output).toEqual({ gold: 1 })
  const tools = await turns.tools({ actor: client, session: 's1', channel: 'mcp' })
  if ('refused' in tools) throw new Error(tools.refused.code)
  expect(tools.tools.map(({ name }) => name)).toContain('open_vault')
  expect(tools.capabilities.find(({ name }) => name === 'vault')).toMatchObject({ isLoaded: true, load: 'on-demand' })
  const other = await turns.tools({ actor: { ...client, scopes: [] }, session: 's2', channel: 'mcp' })
  expect(other).toMatchObject({ tools: [] })
})

test('an approved call runs without the model, also where other calls came between', async () => {
  const { call, turns, payments, model } = await boot()
  const asked = await call('pay', { amount: 5 })
  expect(asked.result.outcome).toBe('awaiting-approval')
  await call('look')
  const decided = await turns.decide(client, asked.approvalId, 'once')
  if ('refused' in decided || !decided.turn) throw new Error('the turn does not go on')
  const { output, result } = await read(decided.turn)
  expect([output, result.outcome, payments.length, model.calls.length]).toEqual([{ paid: 5 }, 'done', 1, 0])
  const asks = await call('ask')
  const answered = await turns.decide(client, asks.approvalId, 'once', { name: 'Ada' })
  if ('refused' in answered || !answered.turn) throw new Error('the turn does not go on')
  expect((await read(answered.turn)).output).toEqual({ answer: { name: 'Ada' } })
})

test('with no one to ask, a call that needs approval is an error', async () => {
  const { call, payments } = await boot()
  const { events } = await call('pay', { amount: 5 }, { approvals: 'deny' })
  expect(JSON.stringify(events)).toContain('requires the approval of a user')
  expect(payments).toEqual([])
})

test('a call has the budget of a turn', async () => {
  const { call, turns } = await boot({ TOKEN_BUDGET_DID_PER_DAY: '1' }, ['hello'])
  await call('look')
  const asked = {
    actor: client,
    session: 's2',
    text: 'hi',
    channel: 'mcp',
    whenBusy: 'queue',
    approvals: 'ask',
  } as const
  await started(await turns.run(asked)).finished
  await expect(call('look')).rejects.toThrow('token_budget_used')
})

test('a call that was approved before a restart runs after it, without the model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-calls-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}` }
  const first = await boot(env)
  const asked = await first.call('pay', { amount: 7 })
  await first.oracle.app.close()
  const second = await boot(env)
  const decided = await second.turns.decide(client, asked.approvalId, 'once')
  if ('refused' in decided || !decided.turn) throw new Error('the turn does not go on')
  expect((await read(decided.turn)).output).toEqual({ paid: 7 })
  expect(second.model.calls).toEqual([])
})
