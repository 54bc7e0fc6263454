import { generateText, isStepCount, type ModelMessage, type Tool, tool } from 'ai'
import { z } from 'zod'
import { createOfflineModel } from './create-offline-model.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'

const city = z.string().min(1).max(100)

export const weather: OfflineCatalogEntry = {
  name: 'weather',
  mode: 'on-demand',
  manifest: {
    title: 'Weather',
    summary: 'Weather and forecasts for any city.',
    whenToUse: ['someone asks about rain, snow or the temperature in a place'],
    tags: ['weather'],
    examples: [
      {
        user: ["What's the weather in {city}?", 'How warm is it in {city}?'],
        tool: 'current_weather',
        args: { city: '{city}' },
        answer: 'It is {temp_c} °C in {city}. The wind blows with {wind.speed} km/h.',
      },
      {
        user: ['Forecast for {city} for {days} days', 'Weather in {city}, next {days} days'],
        tool: 'forecast',
        args: { city: '{city}', days: '{days}' },
        answer: 'First day in {city}: {list.0.text}',
      },
    ],
  },
  tools: [
    { name: 'current_weather', input: z.object({ city }) },
    { name: 'forecast', input: z.object({ city, days: z.int().min(1).max(16) }) },
  ],
}

export const wallet: OfflineCatalogEntry = {
  name: 'wallet',
  mode: 'always',
  manifest: {
    title: 'Wallet',
    summary: 'Money of the person.',
    whenToUse: ['someone asks for a balance or a payment'],
    examples: [
      { user: ['Show my balance', 'Balance in {currency}'], tool: 'wallet_balance', args: { currency: '{currency}' } },
      {
        user: 'Pay {amount} to {person}',
        tool: 'wallet_pay',
        args: { amount: '{amount}', person: '{person}', urgent: false },
        answer: 'Paid {amount} to {person}.',
      },
    ],
  },
  tools: [
    { name: 'wallet_balance', input: z.object({ currency: z.enum(['EUR', 'ZMW']).optional() }) },
    {
      name: 'wallet_pay',
      effect: 'write',
      input: z.object({ amount: z.number().positive(), person: z.string(), urgent: z.boolean() }),
    },
  ],
}

export const gym: OfflineCatalogEntry = {
  name: 'gym',
  mode: 'on-demand',
  manifest: {
    title: 'Gym Class',
    summary: 'Courses of the gym.',
    whenToUse: ['someone asks about the balance of their gym card'],
    examples: [{ user: 'Show my balance', tool: 'gym_balance', args: {}, answer: '{visits} visits left.' }],
  },
  tools: [{ name: 'gym_balance', input: z.object({}) }],
}

const notes: OfflineCatalogEntry = {
  name: 'notes',
  mode: 'always',
  manifest: {
    title: 'Notes',
    summary: 'Keeps notes.',
    whenToUse: ['someone wants to keep a note'],
    examples: [
      { user: 'Remember that {text}', tool: 'note', args: { text: '{text}', tags: ['{tag}'], loud: '{loud}' } },
    ],
  },
  tools: [
    {
      name: 'note',
      input: z.object({ text: z.string(), tags: z.array(z.string()).optional(), loud: z.boolean() }),
    },
  ],
}

/** Made-up plugins. */
export const entries = [weather, wallet, gym, notes]

type Results = Readonly<Record<string, (input: never) => unknown>>

const results: Results = {
  current_weather: ({ city: name }: { city: string }) => ({ temp_c: 14, city: name, wind: { speed: 9 } }),
  forecast: () => ({ list: [{ text: 'sunny' }] }),
  wallet_balance: () => ({ amount_total: 12.5, accounts: ['main', 'savings'], active: true }),
  wallet_pay: () => ({}),
  gym_balance: () => ({ visits: 3 }),
  note: () => null,
}

/** An oracle as far as the model sees one: two tools to begin with, the others once they are loaded. */
export const startOracle = (own: Results = {}, catalog: readonly OfflineCatalogEntry[] = entries) => {
  const model = createOfflineModel({ catalog: () => catalog })
  const loaded = new Set(catalog.filter(entry => entry.mode === 'always').map(entry => entry.name))
  const messages: ModelMessage[] = []
  const tools: Record<string, Tool> = {
    list_capabilities: tool({ inputSchema: z.object({}), execute: async () => catalog.map(entry => entry.name) }),
    load_capability: tool({
      inputSchema: z.object({ names: z.array(z.string()) }),
      execute: async ({ names }) => names.map(name => loaded.add(name).has(name)),
    }),
  }
  for (const { name, input } of catalog.flatMap(entry => entry.tools)) {
    const execute = own[name] ?? results[name] ?? (() => null)
    tools[name] = tool({ inputSchema: input, execute: async given => execute(given as never) }) as Tool
  }
  const offered = () => [
    'list_capabilities',
    'load_capability',
    ...catalog.filter(entry => loaded.has(entry.name)).flatMap(entry => entry.tools.map(({ name }) => name)),
  ]
  const ask = async (text: string) => {
    messages.push({ role: 'user', content: text })
    const prepareStep = () => ({ activeTools: offered() })
    const result = await generateText({ model, messages, tools, stopWhen: isStepCount(8), prepareStep })
    messages.push(...result.responseMessages)
    const calls = result.steps.map(step => step.toolCalls.map(call => call.toolName).join('+')).filter(Boolean)
    const last = result.steps.flatMap(step => step.toolCalls).at(-1)
    return { text: result.text, calls, args: last?.input }
  }
  return { ask, model, tools, offered }
}
