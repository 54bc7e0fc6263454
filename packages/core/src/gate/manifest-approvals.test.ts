import { type BootError, type Capability, defineTool, type PluginParts, type Tool } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decide, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'

const ran: string[] = []

const tool = (name: string, more: Partial<Tool> = {}) =>
  ({
    ...defineTool({
      description: `Does ${name}.`,
      input: z.object({}),
      effect: 'read',
      execute: async () => {
        ran.push(name)
        return 'done'
      },
    }),
    ...more,
  }) as Tool

const server = (approvals?: string[]): Capability => ({
  name: 'my-notes',
  manifest: {
    title: 'Notes',
    summary: 'Notes.',
    whenToUse: ['x'],
    load: 'always',
    approvals,
  },
  tools: () => ({ add: tool('add') }),
  state: () => 'ready',
})

const oracleWith = (parts: PluginParts, approvals: string[] | undefined, steps: readonly ScriptedStep[]) => {
  ran.length = 0
  return testApp({
    plugins: [officePlugin(parts)],
    model: scriptedModel(steps),
    ...(approvals === undefined ? {} : { manifestOverrides: { desk: { approvals } } }),
  })
}

const two = { look: tool('look'), write: tool('write', { approval: () => 'none', effect: 'write' }) }
const both: ScriptedStep[] = [[{ tool: 'look' }, { tool: 'write' }], 'ok']

test.each<[string, string[] | undefined, string[]]>([
  ['nothing', undefined, []],
  ['one tool', ['look'], ['look']],
  ['all, also what its own rule would let run', ['*'], ['look', 'write']],
])('an operator requires approval of %s', async (_, approvals, asked) => {
  await using oracle = await oracleWith({ tools: two }, approvals, both)
  const stream = await oracle.chat('go', { session: 's1' })
  expect(questionsOf(stream).map(({ reason }) => reason)).toEqual(asked.map(name => `Run ${name}`))
  expect(ran).toEqual(['look', 'write'].filter(name => !asked.includes(name)))
})

test('every call requires approval, until it is approved for the session', async () => {
  const style: ScriptedStep = { tool: 'look' }
  await using oracle = await oracleWith({ tools: two }, ['look'], [style, 'ok', style, 'ok', style, 'ok'])
  for (const decision of ['once', 'session']) {
    const [question] = questionsOf(await oracle.chat('go', { session: 's1' }))
    expect((await readStream(await decide(oracle, question?.approvalId, { decision }))).text).toBe('ok')
  }
  expect(questionsOf(await oracle.chat('go', { session: 's1' }))).toEqual([])
  expect(ran).toEqual(['look', 'look', 'look'])
})

test("a tool's own rule applies if the manifest names other tools", async () => {
  const tools = { look: tool('look'), pay: tool('pay', { approval: 'user' }) }
  await using oracle = await oracleWith({ tools }, ['look'], [{ tool: 'pay' }])
  expect(questionsOf(await oracle.chat('go')).length).toBe(1)
})

test.each([
  ["the capability's manifest, by the tool's own name", ['add'], undefined],
  ["the capability's manifest, by the name in a turn", ['my_notes_add'], undefined],
  ["the capability's manifest, by *", ['*'], undefined],
  ["the operator's, by the name in a turn", undefined, ['my_notes_add']],
  ["the operator's, by *", undefined, ['*']],
])('the tools of a capability require approval by %s', async (_, own, operators) => {
  await using oracle = await oracleWith({ capabilities: () => [server(own)] }, operators, [{ tool: 'my_notes_add' }])
  expect(questionsOf(await oracle.chat('go')).length).toBe(1)
  expect(ran).toEqual([])
})

test('if no one can be asked, the call is rejected', async () => {
  let outputs: unknown
  const plugin = officePlugin({ tools: two }, 'desk')
  await using oracle = await testApp({
    plugins: [
      {
        ...plugin,
        setup: async host => {
          host.background('ask', async () => {
            const actor = { did: 'did:key:z6Mk', via: 'task', scopes: ['chat/send'] } as const
            const turn = await host.turns.run({
              actor,
              session: 'task',
              text: 'go',
              channel: 'task',
              whenBusy: 'queue',
              approvals: 'deny',
            })
            outputs = 'finished' in turn ? await turn.finished : turn
          })
          return plugin.setup(host)
        },
      },
    ],
    model: scriptedModel([{ tool: 'look' }, 'could not']),
    manifestOverrides: { desk: { approvals: ['look'] } },
  })
  ran.length = 0
  await oracle.app.ready
  expect(outputs).toMatchObject({ outcome: 'done', text: 'could not' })
  expect(ran).toEqual([])
})

test('a name without a tool prevents the start; it is allowed if tools are known only in a turn', async () => {
  const error = await oracleWith({ tools: two }, ['loook', '*'], []).catch((failure: unknown) => failure)
  expect((error as BootError).problems).toEqual([
    {
      code: 'manifest_approvals_invalid',
      headline: "Plugin 'desk' has an approval for the unknown tool 'loook' (manifest.approvals)",
      lines: ['Did you mean look?'],
      plugin: 'desk',
    },
  ])
  await using varying = await oracleWith({ tools: () => two }, ['loook'], ['ok'])
  expect((await varying.chat('go')).text).toBe('ok')
})
