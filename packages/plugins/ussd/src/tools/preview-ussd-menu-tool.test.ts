import { type Tool, type ToolCall, ToolFailure } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowFixture, openFlowFixture } from '../default-flow/flow-fixture.test.helper.ts'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import type { Flow } from '../flow/flow.ts'
import { ussd } from '../ussd.ts'
import { previewUssdMenuTool } from './preview-ussd-menu-tool.ts'

const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }

describe('a preview', () => {
  let fixture: FlowFixture
  beforeAll(async () => {
    fixture = await openFlowFixture({ offers: ['sms', 'claims'], model: scriptedModel([]) })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const preview = async (input: unknown, flow: Flow = fixture.flow) => {
    const tool: Tool = previewUssdMenuTool(flow, createFlowMachine(flow))
    return tool.output?.parse(await tool.execute(tool.input.parse(input), {} as ToolCall))
  }

  test('begins at the start screen', async () => {
    expect(await preview({})).toEqual({
      screen: 'preMenu',
      text: 'Welcome to Oracle\n1. Know More\n2. Account Menu\n*. Exit',
    })
  })

  test.each([
    ['sw', 'Karibu'],
    ['Swahili', 'Karibu'],
    ['kiswahili', 'Karibu'],
    ['FRENCH', 'Bienvenue'],
  ])('supports %s', async (language, word) => {
    expect(await preview({ language })).toMatchObject({ text: expect.stringContaining(word) })
  })

  test('follows answers, back and exit', async () => {
    expect(await preview({ path: ['1', '2'] })).toMatchObject({ screen: 'pricing' })
    expect(await preview({ path: ['1', '2', '0'] })).toMatchObject({ screen: 'knowMore' })
    expect(await preview({ path: ['1*2'] })).toMatchObject({ screen: 'pricing' })
    expect(await preview({ path: ['2', '2', "Ng'andwe"] })).toMatchObject({ screen: 'enterEmail' })
    expect(await preview({ path: ['*'] })).toEqual({
      screen: 'preMenu',
      text: 'Thank you. Goodbye.',
      note: 'The call ends here',
    })
  })

  test('answers no secret and runs no action', async () => {
    const secret = await preview({ path: ['2', '1', '123456782', '8305', '1'] })
    expect(secret).toMatchObject({ screen: 'enterPin', note: expect.stringContaining('PIN') })
    expect(await preview({ path: ['2', '1', '123456782', '0'] })).toMatchObject({ screen: 'enterCustomerId' })
    const action = await preview({ path: ['2', '3', '2'] })
    expect(action).toMatchObject({ screen: 'chooseLanguage', note: expect.stringContaining('action') })
    const startsWithAction = await preview(
      {},
      {
        start: 'work',
        screens: {
          work: { kind: 'action', effect: 'read', leadsTo: ['exit'], run: () => Promise.reject(new Error()) },
        },
      },
    )
    expect(startsWithAction).toMatchObject({ screen: 'work', text: '' })
  })

  test('lists the languages for an unknown one', async () => {
    const failure = preview({ language: 'Klingon' })
    await expect(failure).rejects.toThrow(ToolFailure)
    await expect(failure).rejects.toThrow('en, sw, fr')
  })

  test.each([{ path: '1' }, { path: [1] }, { path: Array(21).fill('1') }, { language: 'x'.repeat(41) }])(
    'rejects %j',
    async input => {
      await expect(preview(input)).rejects.toThrow()
    },
  )
})

test('the agent shows the menus without loading anything first', async () => {
  await using oracle = await testApp({ plugins: [ussd()], env, config: { name: 'Field Oracle' } })
  const { text, events } = await oracle.chat('What do callers see after 1 in Swahili?')
  expect(events.flatMap(event => (event.type === 'tool-input-available' ? [event.toolName] : []))).toEqual([
    'preview_ussd_menu',
  ])
  expect(text).toContain('1. Kuhusu huduma hii')
  expect((await oracle.chat('Show me the USSD menu after 2, 1, 123456782 and 1111')).text).toMatch(
    /^The preview ends here: .* A phone shows:\nEnter your PIN/,
  )
  const [record] = oracle.app.capabilities()
  expect(record?.tokens).toBeLessThan(200)
})

test('only callers get instructions about phones', async () => {
  const model = scriptedModel(['Hello.'])
  await using oracle = await testApp({ plugins: [ussd()], env, model })
  await oracle.chat('Hello')
  expect(JSON.stringify(model.calls[0]?.prompt)).not.toContain('basic phone')
})
