import { expect, test } from 'vitest'
import { z } from 'zod'
import { openPage, type Page, type PageAgent, startRuntime } from './copilotkit.ts'
import { startOracle } from './start-oracle.ts'

/** Answers the first interrupt of a page. */
const decide = async (
  { page, agent }: { readonly page: Page; readonly agent: PageAgent },
  approved: boolean,
): Promise<void> => {
  const [interrupt] = agent.pendingInterrupts
  await page.runAgent({ agent, resume: [{ interruptId: interrupt?.id, status: 'resolved', payload: { approved } }] })
}

test('text arrives in pieces, and the tools of the oracle with their results', async () => {
  const gate = Promise.withResolvers<void>()
  const { url } = await startOracle([
    { tool: 'shop_look', input: { item: 'pump' } },
    ['It costs 12 €.', { wait: gate.promise }, 'Delivery is free.'],
  ])
  const runtime = await startRuntime(url)
  const { agent, send, texts, errors } = await openPage(runtime.url, 'thread-1')
  const pieces: string[] = []
  agent.subscribe({
    onTextMessageContentEvent: ({ event }: { event: { delta: string } }) => {
      pieces.push(event.delta)
      // The model continues after the page has received the beginning.
      gate.resolve()
    },
  })
  await send('What does the pump cost?')
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toBe('It costs 12 €.Delivery is free.')
  expect(texts()).toEqual([
    ['user', 'What does the pump cost?'],
    ['tool', '{"item":"pump","price":12}'],
    ['assistant', 'It costs 12 €.'],
    ['assistant', 'Delivery is free.'],
  ])
  expect(errors).toEqual([])
})

test('a tool of the page runs in the page, and its result goes on', async () => {
  const { url, model } = await startOracle([
    { tool: 'read_sensor', input: { well: 'A-17' } },
    'It is 4 m deep.',
    'Bye.',
  ])
  const runtime = await startRuntime(url)
  const { page, send, texts, errors } = await openPage(runtime.url, 'thread-1')
  const wells: string[] = []
  page.addTool({
    name: 'read_sensor',
    description: 'Reads a sensor.',
    parameters: z.object({ well: z.string() }),
    handler: async ({ well }: { well: string }) => {
      wells.push(well)
      return { depth: 4 }
    },
  })
  page.addContext({ description: 'Open page', value: 'wells' })
  await send('How deep is the well?')
  await expect.poll(() => texts().at(-1)).toEqual(['assistant', 'It is 4 m deep.'])
  expect(wells).toEqual(['A-17'])
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Open page: wells')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('{\\"depth\\":4}')
  await send('Thanks')
  expect(texts().at(-1)).toEqual(['assistant', 'Bye.'])
  expect(errors).toEqual([])
})

test.each([
  [true, 'paid', [5]],
  [false, 'not paid', []],
])('an approval is an interrupt, and the page resumes with approved: %s', async (approved, answer, amounts) => {
  const { url, paid } = await startOracle([{ tool: 'shop_pay', input: { amount: 5 } }, answer])
  const runtime = await startRuntime(url)
  const { page, agent, send, texts, errors } = await openPage(runtime.url, 'thread-1')
  await send('Pay 5')
  expect(agent.pendingInterrupts).toMatchObject([{ message: expect.stringMatching(/^Pay 5 €/) }])
  expect(paid).toEqual([])
  await decide({ page, agent }, approved)
  expect(paid).toEqual(amounts)
  expect(agent.pendingInterrupts).toEqual([])
  expect(texts().at(-1)).toEqual(['assistant', answer])
  expect(errors).toEqual([])
})

test('a page that is loaded again shows the thread', async () => {
  const { url } = await startOracle([{ tool: 'shop_look', input: { item: 'pump' } }, 'It costs 12.', 'No.'])
  const runtime = await startRuntime(url)
  const first = await openPage(runtime.url, 'thread-1')
  await first.send('What does the pump cost?')
  const again = await openPage(runtime.url, 'thread-1')
  await again.page.connectAgent({ agent: again.agent })
  expect(again.texts()).toEqual(first.texts())
  await again.send('Any discount?')
  expect(again.texts()).toEqual([...first.texts(), ['user', 'Any discount?'], ['assistant', 'No.']])
  expect(again.errors).toEqual([])
})

test('after a restart of the runtime, which stores nothing, the next message brings the thread back', async () => {
  const { url, model } = await startOracle(['It costs 12.', 'No.'])
  const runtime = await startRuntime(url)
  const first = await openPage(runtime.url, 'thread-1')
  await first.send('What does the pump cost?')
  await runtime.restart()
  const again = await openPage(runtime.url, 'thread-1')
  await again.page.connectAgent({ agent: again.agent })
  await again.send('Any discount?')
  expect(again.texts()).toEqual([
    ['user', 'What does the pump cost?'],
    ['assistant', 'It costs 12.'],
    ['user', 'Any discount?'],
    ['assistant', 'No.'],
  ])
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('What does the pump cost?')
  expect(again.errors).toEqual([])
})

test('an approval is still pending on a page that is loaded again', async () => {
  const { url, paid } = await startOracle([{ tool: 'shop_pay', input: { amount: 5 } }, 'paid'])
  const runtime = await startRuntime(url)
  await (await openPage(runtime.url, 'thread-1')).send('Pay 5')
  const { page, agent, texts, errors } = await openPage(runtime.url, 'thread-1')
  await page.connectAgent({ agent })
  expect(agent.pendingInterrupts).toMatchObject([{ message: expect.stringMatching(/^Pay 5 €/) }])
  await decide({ page, agent }, true)
  expect(paid).toEqual([5])
  expect(texts().at(-1)).toEqual(['assistant', 'paid'])
  expect(errors).toEqual([])
})

test('after a restart of the runtime, a run without a message brings back the thread and what it waits for', async () => {
  const { url, paid } = await startOracle([{ tool: 'shop_pay', input: { amount: 5 } }, 'paid'])
  const runtime = await startRuntime(url)
  await (await openPage(runtime.url, 'thread-1')).send('Pay 5')
  await runtime.restart()
  const { page, agent, texts, errors } = await openPage(runtime.url, 'thread-1')
  await page.runAgent({ agent })
  expect(texts()).toEqual([['user', 'Pay 5']])
  expect(agent.pendingInterrupts).toMatchObject([{ message: expect.stringMatching(/^Pay 5 €/) }])
  await decide({ page, agent }, true)
  expect(paid).toEqual([5])
  expect(texts().at(-1)).toEqual(['assistant', 'paid'])
  expect(errors).toEqual([])
})

test('the stop button stops the turn, and the thread goes on', async () => {
  const { url } = await startOracle([['Well, ', { wait: new Promise(() => {}) }], 'Yes.'])
  const runtime = await startRuntime(url)
  const { page, agent, send, texts } = await openPage(runtime.url, 'thread-1')
  const { promise: answering, resolve } = Promise.withResolvers<void>()
  agent.subscribe({ onTextMessageContentEvent: () => resolve() })
  const running = send('Is it open?')
  await answering
  page.stopAgent({ agent })
  await running
  await send('And now?')
  expect(texts().at(-1)).toEqual(['assistant', 'Yes.'])
})

test('a key that the oracle rejects is an error on the page', async () => {
  const { url } = await startOracle(['Hello.'])
  const runtime = await startRuntime(url, 'unknown-0123456789abcdef')
  const { send, texts, errors } = await openPage(runtime.url, 'thread-1')
  await send('Hello?')
  expect(texts()).toEqual([['user', 'Hello?']])
  expect(errors).toEqual([expect.stringMatching(/^agent_run_error_event: HTTP 401: .*credential_unknown/)])
})
