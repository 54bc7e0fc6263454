import { expect, test } from 'vitest'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import { extendFlow } from '../flow/define-flow.ts'
import type { FlowContext, Screen } from '../flow/flow.ts'
import { flowGraph } from '../flow/flow-graph.ts'
import type { FlowState, FlowStep } from '../flow/flow-machine.ts'
import { type FlowFixture, openFlowFixture } from './flow-fixture.test.helper.ts'

const facts = { phoneNumber: '+260971234567', serviceCode: '*1234#', limits: { gsm7: 182, ucs2: 80 } }

/** Answers to questions, by the names of their values. */
const answersTo = (ids: readonly string[]): Readonly<Record<string, readonly string[]>> => ({
  name: ['Chanda'],
  email: ['1', 'chanda@example.org'],
  loginId: [...ids, '100000009'],
  pin: ['8305', '1739', '6174'],
  newPin: ['8305', '6174'],
  newPinAgain: ['8305', '6174'],
  code: ['000000', ...ids],
  question: ['Will it rain?'],
  report: ['Delivered five stoves'],
})

interface Walk {
  readonly edges: ReadonlySet<string>
  readonly screens: ReadonlySet<string>
}

/** Walks the real flow with its real actions, and returns each step forward from screen to screen. */
const walk = async ({ machine, flow, services, sent }: FlowFixture): Promise<Walk> => {
  const edges = new Set<string>()
  const screens = new Set<string>()
  const ids = new Set<string>()
  const seen = new Set<string>()

  const settle = async (step: FlowStep): Promise<FlowState | undefined> => {
    if (step.kind === 'show') return step.reply.kind === 'end' ? undefined : step.state
    const { state, action } = step
    const { language, values, secrets, customerId } = state
    const context: FlowContext = { ...facts, language, values, customerId }
    const run = { ...context, secrets, idempotencyKey: crypto.randomUUID(), signal: new AbortController().signal }
    const result = await action.run(run)
    const { write } = result
    if (write) await services.host.storage.write(tx => write(tx))
    const next = machine.afterAction(state, { kind: 'done', result }, facts)
    note(state.screen, next)
    return settle(next)
  }
  const note = (from: string, step: FlowStep) => {
    if (step.kind === 'show' && step.reply.kind === 'end') return
    if (step.state.screen !== from) edges.add(`${from} > ${step.state.screen}`)
  }
  const answersAt = (screen: Screen | undefined, { values }: FlowState): readonly string[] => {
    if (typeof values.customerId === 'string') ids.add(values.customerId)
    if (screen?.kind === 'input' || screen?.kind === 'secret') {
      const code = sent.at(-1)?.text.match(/\d{4,12}/)?.[0]
      return [...(answersTo([...ids])[screen.into] ?? []), ...(screen.into === 'code' && code ? [code] : [])]
    }
    return ['1', '2', '3', '4', '5', '6', '7', '8', '9']
  }
  const go = async (state: FlowState): Promise<void> => {
    const signedIn = state.customerId !== undefined
    const key = JSON.stringify([state.screen, signedIn, Object.keys(state.values).sort(), state.secrets, ids.size])
    if (seen.has(key) || seen.size > 600) return
    seen.add(key)
    screens.add(state.screen)
    for (const answer of answersAt(flow.screens[state.screen], state)) {
      const step = machine.input(state, answer, facts)
      note(state.screen, step)
      const next = await settle(step)
      if (next !== undefined && next.screen !== state.screen) await go(next)
    }
  }
  const start = await settle(machine.begin(facts, {}))
  await go(start!)
  return { edges, screens }
}

const declared = (graph: ReturnType<typeof flowGraph>) => new Set(graph.edges.map(({ from, to }) => `${from} > ${to}`))

test('the graph has every way that callers take through the default flow', async () => {
  await using fixture = await openFlowFixture({ offers: ['sms', 'claims', 'user-preferences'] })
  const graph = flowGraph(fixture.flow)
  const walked = await walk(fixture)
  const known = declared(graph)
  expect([...walked.edges].filter(edge => !known.has(edge))).toEqual([])
  // A walk that stopped early would show nothing.
  expect([...walked.screens]).toEqual(
    expect.arrayContaining(['profile', 'accountCreated', 'chooseNewPin', 'languageSet', 'confirmReport', 'enterCode']),
  )
  expect(walked.edges.size).toBeGreaterThan(50)
})

test('the graph has the texts, the numbers and both targets that depend on the sign-in', async () => {
  await using fixture = await openFlowFixture({ config: { name: 'Field Oracle' } })
  const graph = flowGraph(fixture.flow)
  expect(graph.start).toBe('preMenu')
  expect(graph.languages.map(({ code }) => code)).toEqual(['en', 'sw', 'fr'])
  const start = graph.nodes.find(({ id }) => id === 'preMenu')
  expect(start).toMatchObject({ kind: 'menu', back: 'none', ends: false })
  expect(start?.text).toMatchObject({ en: 'Welcome to Field Oracle', sw: expect.stringContaining('Karibu') })
  expect(graph.nodes.find(({ id }) => id === 'profile')?.back).toEqual({ screen: 'myAccount' })
  expect(graph.edges.filter(({ from }) => from === 'preMenu')).toMatchObject([
    { to: 'knowMore', key: '1', label: { en: 'Know More' } },
    { to: 'accountMenu', key: '2', kind: 'option' },
    { to: 'myAccount', key: '2', kind: 'option' },
  ])
  expect(graph.edges).toContainEqual({ from: 'logIn', to: 'wrongLogin', kind: 'result' })
  expect(graph.nodes.find(({ id }) => id === 'answer')).not.toHaveProperty('text')
})

test('numbers that depend on the user are left out, and those of keys are skipped', () => {
  const flow = extendFlow(
    {
      start: 'home',
      keys: { more: '2' },
      screens: {
        home: { kind: 'menu', text: 'Home', options: [{ label: 'One', to: 'end' }] },
        end: { kind: 'message', text: 'End', ends: true },
      },
    },
    { options: { home: [{ label: 'Three', to: 'exit' }] } },
  )
  createFlowMachine(flow)
  expect(flowGraph(flow).edges).toMatchObject([
    { to: 'end', key: '1' },
    { to: 'exit', key: '3' },
  ])
  const some = extendFlow(flow, { options: { home: [{ label: 'Sometimes', to: 'end', when: () => false }] } })
  expect(flowGraph(some).edges.map(({ key }) => key)).toEqual([undefined, undefined, undefined])
})
