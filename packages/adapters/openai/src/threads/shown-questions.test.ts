import { type Actor, definePlugin, type Host } from '@sibyl/plugin'
import type { PendingCall } from '@sibyl/plugin/host'
import { type ScriptedStep, scriptedModel } from '@sibyl/testing'
import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { key, shop, start } from '../openai.test.support.ts'

const pay = (amount: number) => ({ tool: 'pay', input: { amount } })
const user = (content: string) => ({ role: 'user', content }) as const

/** Starts an oracle with a shop, and a plugin through which another channel runs turns of the same person. */
const startShop = async (steps: readonly ScriptedStep[]) => {
  const { plugin, paid } = shop()
  let host: Host | undefined
  let actor: Actor | undefined
  const other = definePlugin({
    name: 'other',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Other', summary: 'Another channel.', whenToUse: ['it is tested'] },
    setup(given) {
      host = given
      return {
        turn: {
          async before(turn) {
            actor ??= turn.actor
            return undefined
          },
        },
      }
    },
  })
  const { client, oracle } = await start({ plugins: [plugin, other], model: scriptedModel(steps) })
  const complete = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
    const completion = await client.chat.completions.create({ model: 'x', messages })
    return { ...completion.choices[0]!.message, session: (completion as unknown as Own).sibyl.session_id }
  }
  const pending = async (session: string): Promise<readonly PendingCall[]> => host!.turns.pending(actor!.did, session)
  /** Runs a turn at another channel. @returns the approvals that wait then */
  const elsewhere = async (session: string, what: { readonly text: string; readonly call?: object }) => {
    const request = { actor: actor!, session, channel: 'a2a', whenBusy: 'queue', approvals: 'ask' } as const
    const started = await host!.turns.run({ ...request, ...(what as { text: string }) })
    if ('refused' in started) throw new Error(started.refused.detail)
    await started.finished
    return pending(session)
  }
  return { oracle, client, complete, elsewhere, pending, paid }
}

interface Own {
  readonly sibyl: { readonly session_id: string; readonly approvals: readonly string[] }
}

test('a yes does not decide what another channel asked in the same session', async () => {
  const { complete, elsewhere, paid } = await startShop(['Hello.', pay(900), 'You said yes.'])
  const first = await complete(user('Hi'))
  expect(await elsewhere(first.session, { text: 'Pay 900' })).toHaveLength(1)
  const second = await complete(user('Hi'), { role: 'assistant', content: 'Hello.' }, user('yes'))
  expect([second.content, second.session, paid]).toEqual(['You said yes.', first.session, []])
})

test('a yes to a response does not decide what another channel asked in its conversation', async () => {
  const { client, elsewhere, paid } = await startShop(['Hello.', pay(900), 'You said yes.'])
  const first = await client.responses.create({ model: 'x', input: 'Hi' })
  const conversation = first.conversation!.id
  await elsewhere(conversation, { text: 'Pay 900' })
  const second = await client.responses.create({ model: 'x', input: 'yes', conversation })
  expect([second.output_text, paid]).toEqual(['You said yes.', []])
})

test.each(['yes', 'always', 'no'])('%s decides the shown approvals alone, by their ids', async word => {
  const { complete, elsewhere, pending, paid } = await startShop([[pay(5), pay(6)], 'Done.'])
  const first = await complete(user('Pay 5 and 6'))
  const call = { tool: 'pay', input: { amount: 900 } }
  expect(await elsewhere(first.session, { text: 'Pay 900', call })).toHaveLength(3)
  const second = await complete(user('Pay 5 and 6'), { role: 'assistant', content: first.content ?? '' }, user(word))
  expect([second.content, paid]).toEqual(['Done.', word === 'no' ? [] : [5, 6]])
  expect((await pending(first.session)).map(({ input }) => input)).toEqual([{ amount: 900 }])
})

test('an answer shows the questions of its own turn alone', async () => {
  const steps = [[pay(5), { tool: 'read_sensor', input: {}, id: 'call-1' }], 'Done.'] as const
  const { client, elsewhere, paid } = await startShop(steps)
  const tools = [{ type: 'function', function: { name: 'read_sensor', parameters: { type: 'object' } } }] as const
  const ask = async (...rest: OpenAI.ChatCompletionMessageParam[]) => {
    const messages = [user('Pay and measure'), ...rest]
    return client.chat.completions.create({ model: 'x', messages, tools: [...tools] })
  }
  const first = await ask()
  const { session_id } = (first as unknown as Own).sibyl
  await elsewhere(session_id, { text: 'Pay 900', call: { tool: 'pay', input: { amount: 900 } } })
  const { message } = first.choices[0]!
  const result = { role: 'tool', tool_call_id: 'call-1', content: '4 m' } as const
  const second = (await ask(message, result)).choices[0]!.message
  expect(second.content).toContain('Pay 5 €')
  expect(second.content).not.toContain('900')
  const third = (await ask(message, result, second, user('yes'))).choices[0]!.message
  expect([third.content, paid]).toEqual(['Done.', [5]])
})

test.each(['store', 'do not store'])('a yes decides the approval that a response showed: %s', async how => {
  const { client, paid } = await startShop([pay(5), 'Done.'])
  const store = how === 'store'
  const first = await client.responses.create({ model: 'x', input: 'Pay 5', store })
  expect(first.output_text).toContain('Pay 5 €')
  const before = store ? { previous_response_id: first.id } : { conversation: first.conversation!.id }
  const second = await client.responses.create({ model: 'x', input: 'yes', ...before })
  expect([second.output_text, paid]).toEqual(['Done.', [5]])
})

test('a yes does not decide an approval whose question did not reach the client', async () => {
  const { oracle, complete, pending, paid } = await startShop(['Shall I wait?', pay(900), 'I wait.'])
  const { session, content } = await complete(user('Hi'))
  const history = [user('Hi'), { role: 'assistant', content } as const]
  const response = await oracle.app.request('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [...history, user('Pay 900')], stream: true }),
  })
  for await (const chunk of response.body!) if (new TextDecoder().decode(chunk).includes('"approval"')) break
  expect(await pending(session)).toHaveLength(1)
  const second = await complete(...history, user('yes'))
  expect([second.content, second.session, paid]).toEqual(['I wait.', session, []])
})
