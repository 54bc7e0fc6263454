import { generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { turnNoteHeading } from '../text/turn-note.ts'
import { createOfflineModel } from './create-offline-model.ts'
import { expectedCalls } from './expected-calls.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'
import { entries, gym, startOracle, wallet, weather } from './sample-oracle.test.support.ts'

describe('the way to a tool', () => {
  it('goes over list and load, one call a step, and words the answer', async () => {
    const { ask } = startOracle()
    expect(await ask("What's the weather in Berlin?")).toEqual({
      calls: ['list_capabilities', 'load_capability', 'current_weather'],
      args: { city: 'Berlin' },
      text: 'It is 14 °C in Berlin. The wind blows with 9 km/h.',
    })
    expect((await ask('How warm is it in Rome?')).calls).toEqual(['current_weather'])
  })

  it('is only the tool for a plugin that is always loaded', async () => {
    expect((await startOracle().ask('Balance in eur')).calls).toEqual(['wallet_balance'])
  })

  it.each([weather, wallet, gym].flatMap(entry => expectedCalls(entry).map(call => [call.text, call] as const)))(
    'leads from “%s” to its tool',
    async (text, { tool: name, args }) => {
      const { ask } = startOracle()
      const first = await ask(text)
      const reply = first.text.startsWith('Do you mean')
        ? await ask(name.startsWith('gym') ? 'Gym Class' : 'Wallet')
        : first
      expect(reply).toMatchObject({ calls: expect.arrayContaining([name]), args })
    },
  )

  it.each([
    ['whats the weather in São Paulo', 'São Paulo'],
    ['WHAT IS THE WEATHER IN new york??', 'new york'],
    ['What’s the wéather in “Aix-en-Provence” right now?', 'Aix-en-Provence'],
    ['Hey, could you please tell me how warm it is in Lusaka today?', 'Lusaka'],
    ['I am off tomorrow. What is the weather in Washington, D.C.?', 'Washington, D.C'],
    ['Is it going to rain in Berlin?', 'Berlin'],
  ])('finds the city in “%s”', async (text, expected) => {
    expect((await startOracle().ask(text)).args).toEqual({ city: expected })
  })

  it('reports that loading did not add the tool', async () => {
    const model = createOfflineModel({ catalog: () => entries })
    const load = tool({ inputSchema: z.object({ names: z.array(z.string()) }), execute: async () => ({ results: [] }) })
    const { text } = await generateText({
      model,
      prompt: "What's the weather in Berlin?",
      tools: { load_capability: load },
      stopWhen: isStepCount(5),
    })
    expect(text).toBe('Weather could not be used: loading “weather” did not provide the tool I need.')
    expect((await generateText({ model, prompt: 'Show my balance in EUR' })).text).toMatch(
      /not available here|Do you mean/,
    )
  })
})

describe('what is missing', () => {
  it('is asked for, and the reply is taken up', async () => {
    const { ask } = startOracle()
    expect((await ask('how about some rain?')).text).toBe('Which city?')
    expect((await ask("it's Berlin, please")).args).toEqual({ city: 'Berlin' })
  })

  it('is asked for value by value', async () => {
    const { ask } = startOracle()
    expect((await ask('Pay')).text).toBe('Which amount?')
    expect((await ask('lots')).text).toBe('“lots” is not valid: expected a number. Which amount?')
    expect((await ask('three')).text).toBe('Which person?')
    expect(await ask('Ada')).toMatchObject({
      args: { amount: 3, person: 'Ada', urgent: false },
      text: 'Paid 3 to Ada.',
    })
  })

  it('is asked for again when the tool would not take it', async () => {
    const { ask } = startOracle()
    const { text } = await ask('Forecast for Rome for 40 days')
    expect(text).toBe('“40” is not valid: expected a whole number from 1 up to 16. How many days?')
    expect(await ask('make it 5 days')).toMatchObject({
      args: { city: 'Rome', days: 5 },
      text: 'First day in Rome: sunny',
    })
  })

  it('is dropped when the person calls it off or asks for something else', async () => {
    const { ask } = startOracle()
    await ask('weather')
    expect((await ask('never mind')).text).toBe('All right, I will not do it.')
    await ask('weather')
    expect((await ask('Balance in ZMW')).args).toEqual({ currency: 'ZMW' })
    expect((await ask('Berlin')).text).toMatch(/cannot answer that/)
  })

  it('keeps a user’s text unchanged', async () => {
    const { ask } = startOracle()
    expect((await ask('Remember that “no” is in Polish “nie”.')).text).toBe('Loud: yes or no?')
    expect((await ask('no')).args).toEqual({ text: '“no” is in Polish “nie”', tags: [], loud: false })
  })
})

describe('a tie between plugins', () => {
  const question = 'Do you mean Wallet (“Show my balance”) or Gym Class (“Show my balance”)?'

  it.each([
    ['the gym one', 'gym_balance'],
    ['Wallet!', 'wallet_balance'],
    ['the second', 'gym_balance'],
    ['1', 'wallet_balance'],
    ['the latter', 'gym_balance'],
  ])('is asked back, and “%s” is taken up', async (reply, name) => {
    const { ask } = startOracle()
    expect((await ask('show my balance')).text).toBe(question)
    expect((await ask(reply)).calls.at(-1)).toBe(name)
  })

  it('ends with another request, or with no', async () => {
    const { ask } = startOracle()
    await ask('show my balance')
    expect((await ask('what is the weather in Oslo')).args).toEqual({ city: 'Oslo' })
    await ask('show my balance')
    expect((await ask('neither')).text).toBe('All right, I will not do it.')
  })
})

describe('what changes something', () => {
  it('is never called on a loose likeness of words', async () => {
    const { ask } = startOracle()
    const unsure = await ask('a payment of 5 now')
    expect(unsure).toMatchObject({ calls: [], text: 'Do you mean “Pay [amount] to [person]”?' })
    expect((await ask('yes')).text).toBe('Which person?')
    expect(await ask('cancel')).toMatchObject({ calls: [], text: 'All right, I will not do it.' })
    expect((await ask('Pay 5 to Ada')).args).toEqual({ amount: 5, person: 'Ada', urgent: false })
  })
})

describe('talk about itself', () => {
  it.each(['hello', 'Hi there!', 'Good morning'])('“%s” is greeted with one example', async text => {
    expect((await startOracle().ask(text)).text).toBe(
      "Hello! You can say “What's the weather in [city]?”; “What can you do?” lists more.",
    )
  })

  it('the model identifies itself in two sentences', async () => {
    expect((await startOracle().ask('Who are you?')).text).toMatch(
      /^I am the offline model: .*“What can you do\?” lists them\.$/,
    )
  })

  it.each(['what can you do?', 'help', ''])('“%s” makes it introduce itself', async text => {
    const answer = (await startOracle().ask(text)).text
    expect(answer).toContain('I am the offline model')
    expect(answer).toContain("- Weather: “What's the weather in [city]?” or “Forecast for [city] for [days] days”")
    expect(answer).toContain('OPENAI_API_KEY')
  })

  it('admits what it does not understand, with what is nearest', async () => {
    const { ask } = startOracle()
    expect((await ask('bake me a chocolate cake')).text).toMatch(
      /cannot answer that\. I can answer about: Weather, Wallet, Gym Class, Notes/,
    )
    const near = (await ask('please explain quantum entanglement and rain to my grandmother')).text
    expect(near).toMatch(/The closest examples:\n- Weather: “What's the weather in \[city\]\?”/)
  })

  it('works without any plugin', async () => {
    expect((await startOracle({}, []).ask('hello')).text).toMatch(/No plugin is available yet/)
  })
})

describe('as a language model', () => {
  it('streams word by word with usage, and the same conversation gives the same answer', async () => {
    const { model, tools, offered } = startOracle()
    const run = async () => {
      const result = streamText({
        model,
        prompt: 'Balance in EUR',
        tools,
        activeTools: offered(),
        stopWhen: isStepCount(3),
      })
      const words: string[] = []
      for await (const word of result.textStream) words.push(word)
      return { words, usage: (await result.steps).at(-1)?.usage }
    }
    const first = await run()
    expect(first.words.slice(0, 2)).toEqual(['Amount ', 'total: '])
    expect(first.usage?.inputTokens).toBeGreaterThan(10)
    expect(first.usage?.outputTokens).toBe(Math.ceil(first.words.join('').length / 4))
    expect((await run()).words).toEqual(first.words)
  })

  it('reads only the user’s text, not the oracle’s notes', async () => {
    const { content } = await createOfflineModel({ catalog: () => entries }).doGenerate({
      prompt: [
        { role: 'system', content: 'Pay 7 to Eve' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'How warm is it in Rome?' },
            { type: 'text', text: `${turnNoteHeading}\nThe person likes Fahrenheit.` },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'current_weather', inputSchema: { type: 'object' } }],
    })
    expect(content).toMatchObject([{ type: 'tool-call', toolName: 'current_weather', input: '{"city":"Rome"}' }])
  })

  it('coerces by the offered JSON Schema where the catalog does not know the tool', async () => {
    const remote: OfflineCatalogEntry = {
      ...weather,
      name: 'remote',
      manifest: {
        ...weather.manifest,
        examples: [
          { user: 'Roll {count} dice {loudly}', tool: 'remote_roll', args: { count: '{count}', loud: '{loudly}' } },
        ],
      },
      tools: [],
    }
    const { content } = await createOfflineModel({ catalog: () => [remote] }).doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'roll twenty-one dice ON' }] }],
      tools: [
        {
          type: 'function',
          name: 'remote_roll',
          inputSchema: { type: 'object', properties: { count: { type: 'integer' }, loud: { type: 'boolean' } } },
        },
      ],
    })
    expect(content).toMatchObject([{ toolName: 'remote_roll', input: '{"count":21,"loud":true}' }])
  })
})
