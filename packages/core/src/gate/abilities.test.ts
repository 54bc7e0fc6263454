import { type BootError, defineTool, type Tool, type Turn } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, decide, partOf, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'

const chatOnly = ['chat/send', 'session/read']

/** Starts an oracle whose tools record their runs. */
const play = async (
  tools: Readonly<Record<string, Partial<Tool>>>,
  steps: readonly ScriptedStep[],
  load: 'always' | 'on-demand' = 'always',
) => {
  const ran: string[] = []
  const tool = (name: string, more: Partial<Tool>) =>
    ({
      ...defineTool({
        description: `Does ${name}.`,
        input: z.object({}),
        effect: 'write',
        execute: async () => {
          ran.push(name)
          return 'done'
        },
      }),
      ...more,
    }) as Tool
  const made = Object.fromEntries(Object.entries(tools).map(([name, more]) => [name, tool(name, more)]))
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins: [officePlugin({ tools: made }, 'desk', load)], model })
  return { oracle, model, ran, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Returns the texts of tool results in the last prompt of the model. */
const reportedModel = ({ model }: { readonly model: ReturnType<typeof scriptedModel> }) =>
  JSON.stringify(model.calls.at(-1)?.prompt.filter(({ role }) => role === 'tool'))

describe('a tool that names an ability', () => {
  const tools = { free: {}, sign: { ability: 'desk/sign' }, own: { ability: ['desk/read', 'chat/personal'] } }

  test.each([
    [['chat/send'], ['free']],
    [
      ['chat/send', 'chat/personal'],
      ['free', 'own'],
    ],
    [['chat/*'], ['free', 'own']],
    [
      ['chat/send', 'desk/read'],
      ['free', 'own'],
    ],
    [
      ['chat/send', 'desk/*'],
      ['free', 'sign', 'own'],
    ],
    [['*'], ['free', 'sign', 'own']],
  ])('is offered to a caller with %j: %j', async (abilities, offered) => {
    await using app = await play(tools, ['ok'])
    await app.oracle.chat('go', { abilities })
    expect(app.model.calls[0]?.tools).toEqual(['list_capabilities', 'load_capability', ...offered])
  })

  test('does not run if the caller lacks it, and the model reads why', async () => {
    const script = [[{ tool: 'sign', id: 'c1' }, { tool: 'own' }, { tool: 'free' }], 'sorry']
    await using app = await play(tools, script)
    await app.oracle.chat('go', { session: 's1', abilities: chatOnly })
    expect(app.ran).toEqual(['free'])
    const text = "'sign' requires the ability desk/sign, which this caller does not have. It was not run."
    expect(await partOf(app.oracle, 'c1')).toMatchObject({ state: 'output-error', errorText: text })
    expect(reportedModel(app)).toContain(text)
    expect(reportedModel(app)).toContain("'own' requires the ability desk/read or chat/personal")
  })

  test("keeps its position in the list, so that a caller's prompt cache stays valid", async () => {
    await using app = await play(tools, ['ok', 'ok', 'ok'])
    for (const abilities of [['*'], chatOnly, ['*']]) await app.oracle.chat('go', { session: 's1', abilities })
    expect(app.model.calls[2]?.tools).toEqual(app.model.calls[0]?.tools)
  })

  test('requests no approval if the caller lacks it', async () => {
    await using app = await play({ pay: { ability: 'desk/pay', approval: 'user' } }, [{ tool: 'pay' }, 'sorry'])
    const stream = await app.oracle.chat('pay', { abilities: chatOnly })
    expect(questionsOf(stream)).toEqual([])
    expect([stream.text, app.ran]).toEqual(['sorry', []])
  })

  test('is withheld when its capability is loaded, and the agent reads which ability is missing', async () => {
    const load = { tool: 'load_capability', input: { names: ['desk'] } }
    const script = [{ tool: 'list_capabilities' }, load, load, { tool: 'sign' }, 'sorry']
    await using app = await play(tools, script, 'on-demand')
    const { events } = await app.oracle.chat('go', { session: 's1', abilities: chatOnly })
    const outputs = events.flatMap(({ type, output }) => (type === 'tool-output-available' ? [output] : []))
    const withheld = [
      { name: 'sign', error: 'It requires the ability desk/sign, which this caller does not have.' },
      { name: 'own', error: 'It requires the ability desk/read or chat/personal, which this caller does not have.' },
    ]
    expect(outputs).toMatchObject([
      { capabilities: [{ name: 'desk', lacks: ['desk/sign', 'desk/read or chat/personal'] }] },
      { results: [{ status: 'loaded', tools: [{ name: 'free' }], withheld }] },
      { results: [{ status: 'already_loaded', withheld }] },
    ])
    expect(events.find(({ type }) => type === 'data-capability')?.data).toMatchObject({ tools: ['free'] })
    expect(app.ran).toEqual([])
    expect(reportedModel(app)).toContain("'sign' requires the ability desk/sign")
  })

  test.each([['*'], ['desk/*'], [''], [[]], ['desk'], [['desk/pay', 'desk/*']], [7]])(
    'cannot name %j',
    async ability => {
      const error = await play({ pay: { ability: ability as string } }, []).catch((failure: unknown) => failure)
      expect((error as BootError).problems).toMatchObject([
        { code: 'tool_invalid', lines: [expect.stringContaining('ability is neither')] },
      ])
    },
  )
})

describe('an approval', () => {
  const pay = { pay: { ability: 'desk/pay', approval: 'user' } } as const
  const call: ScriptedStep = { tool: 'pay', id: 'c1' }
  const decideWith = (
    { oracle }: { readonly oracle: TestApp },
    id: string | undefined,
    decision: string,
    abilities: string[],
  ) => oracle.actor.request(`/chat/s1/approvals/${id}`, { json: { decision }, abilities })

  test('by credentials without the ability is rejected and leaves the question open; they may deny', async () => {
    await using app = await play(pay, [call, 'paid', call, 'denied'])
    const [question] = questionsOf(await app.oracle.chat('pay', { session: 's1' }))
    for (const decision of ['once', 'session']) {
      const refused = await decideWith(app, question?.approvalId, decision, chatOnly)
      expect(await codeOf(refused)).toEqual([403, 'scope_missing'])
    }
    expect(app.ran).toEqual([])
    expect((await readStream(await decide(app.oracle, question?.approvalId, { decision: 'once' }))).text).toBe('paid')
    expect(app.ran).toEqual(['pay'])
    const [next] = questionsOf(await app.oracle.chat('pay', { session: 's1' }))
    const denied = await decideWith(app, next?.approvalId, 'deny', chatOnly)
    expect((await readStream(denied)).text).toBe('denied')
    expect(app.ran).toEqual(['pay'])
  })

  test('for the session does not let a caller with fewer abilities run the tool', async () => {
    await using app = await play(pay, [call, 'paid', call, 'sorry', call, 'paid'])
    const [question] = questionsOf(await app.oracle.chat('pay', { session: 's1' }))
    await readStream(await decide(app.oracle, question?.approvalId, { decision: 'session' }))
    await app.oracle.chat('pay', { session: 's1', abilities: chatOnly })
    expect(app.ran).toEqual(['pay'])
    await app.oracle.chat('pay', { session: 's1' })
    expect(app.ran).toEqual(['pay', 'pay'])
  })

  test("gives the continued turn the intersection of both callers' abilities", async () => {
    const seen: (readonly string[])[] = []
    const note = { execute: async (_: unknown, { turn }: { turn: Turn }) => void seen.push(turn.actor.scopes) }
    const tools = { ask: { approval: 'user', ...note }, sign: { ability: 'desk/sign', ...note } } as const
    const script = [{ tool: 'ask' }, { tool: 'sign' }, 'end']
    await using app = await play(tools as never, [...script, ...script])
    const asked = ['chat/send', 'desk/sign', 'desk/read']
    for (const decider of [['chat/*', 'desk/read'], ['*']]) {
      const [question] = questionsOf(await app.oracle.chat('go', { session: 's1', abilities: asked }))
      const goes = await decideWith(app, question?.approvalId, 'once', decider)
      expect((await readStream(goes)).text).toBe('end')
    }
    expect(seen).toEqual([['chat/send', 'desk/read'], asked, asked])
  })

  test('by credentials with more abilities does not extend those of the requesting turn', async () => {
    const tools = { ask: { approval: 'user' }, sign: { ability: 'desk/sign' } } as const
    await using app = await play(tools, [{ tool: 'ask' }, { tool: 'sign' }, 'end'])
    const [question] = questionsOf(await app.oracle.chat('go', { session: 's1', abilities: chatOnly }))
    expect((await readStream(await decide(app.oracle, question?.approvalId, { decision: 'once' }))).text).toBe('end')
    expect(app.ran).toEqual(['ask'])
  })
})

test('instructions that require an ability are added only to turns of callers with it', async () => {
  const asked: (readonly string[])[] = []
  const instructions = {
    ability: ['desk/read', 'chat/personal'],
    forTurn: async ({ actor }: Turn) => {
      asked.push(actor.scopes)
      return 'Ada is allergic to nuts.'
    },
  }
  const model = scriptedModel(['ok', 'ok', 'ok'])
  await using oracle = await testApp({ plugins: [officePlugin({ instructions })], model })
  for (const abilities of [['chat/send'], ['chat/*'], ['chat/send', 'desk/read']])
    await oracle.chat('hi', { abilities })
  expect(model.calls.map(({ prompt }) => JSON.stringify(prompt).includes('allergic'))).toEqual([false, true, true])
  expect(asked).toEqual([['chat/*'], ['chat/send', 'desk/read']])
})
