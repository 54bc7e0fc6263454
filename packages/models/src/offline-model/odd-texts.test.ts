import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOfflineModel } from './create-offline-model.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'

const inputs = {
  echo: z.object({ text: z.string(), count: z.number().optional(), flag: z.boolean().optional() }),
  weather: z.object({ city: z.string().max(100), days: z.int().min(1).max(16).optional() }),
  send: z.object({ to: z.string().regex(/^\+\d+$/), text: z.string().max(160), tags: z.array(z.string()) }),
}

const entry = (name: keyof typeof inputs, user: string[], args: Record<string, unknown>): OfflineCatalogEntry => ({
  name,
  mode: 'always',
  manifest: {
    title: name,
    summary: `Does ${name}.`,
    whenToUse: [`somebody wants ${name}`],
    examples: [{ user, tool: name, args, answer: '{text} in {city}.' }],
  },
  tools: [{ name, input: inputs[name] }],
})

const entries = [
  entry('echo', ['Echo {text}', '{count} times {text}'], { text: '{text}', count: '{count}', flag: '{flag}' }),
  entry('weather', ['Weather in {city}', "{city}'s weather for {days} days"], { city: '{city}', days: '{days}' }),
  entry('send', ['Send {text} to {to}', '{a} {b} {c} to {to}'], { to: '{to}', text: '{text}', tags: ['{a}', '{b}'] }),
]

const pieces = [
  'weather',
  'Weather in',
  'echo',
  'send',
  'to',
  'times',
  "'s",
  'for',
  'days',
  'Berlin',
  '3',
  'three',
  '+2609',
  'yes',
  'no',
  'please',
  '?',
  '!',
  '...',
  '“',
  '”',
  '"',
  "'",
  '(',
  ']',
  '{city}',
  '{',
  '}',
  '{{text}}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '\u001b[2J',
  '\ud800',
  '\udfff',
  '\u202e',
  '🙂',
  '👩‍👩‍👧',
  '北京',
  'ß',
  'İ',
  'e\u0301\u0301\u0301',
  '\n',
  '\t',
  '   ',
  '\\',
  '$&',
  '$1',
  '%s',
  '<script>',
  '-',
  '--',
  "n't",
  'whats',
  'can you',
  'undefined',
  'null',
  'NaN',
  '[object Object]',
  '1e309',
  '0x10',
  'a'.repeat(300),
  '. '.repeat(50),
  'the first one',
]

/** The same sequence of numbers below 1 each time (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const tools = Object.entries(inputs).map(([name, input]) => ({
  type: 'function' as const,
  name,
  inputSchema: z.toJSONSchema(input) as object,
}))

const answer = async (prompt: LanguageModelV4Prompt) => {
  const { content } = await createOfflineModel({ catalog: () => entries }).doGenerate({ prompt, tools })
  expect(content).toHaveLength(1)
  const [part] = content
  if (part?.type === 'tool-call') {
    const input = inputs[part.toolName as keyof typeof inputs]
    expect(input.safeParse(JSON.parse(part.input)).error).toBeUndefined()
    return part
  }
  expect(part).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) })
  return part
}

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

describe('odd texts', () => {
  it('always get an answer or a call that fits the tool', async () => {
    const random = seeded(20261121)
    const pick = () => pieces[Math.floor(random() * pieces.length)]!
    let calls = 0
    for (let round = 0; round < 1_000; round += 1) {
      const text = Array.from({ length: 1 + Math.floor(random() * 9) }, pick).join(random() < 0.8 ? ' ' : '')
      if ((await answer([user(text)]))?.type === 'tool-call') calls += 1
    }
    expect(calls).toBeGreaterThan(10)
  })

  it('are taken as replies to questions too', async () => {
    const random = seeded(7)
    const pick = () => pieces[Math.floor(random() * pieces.length)]!
    let asked = 0
    for (let round = 0; round < 300; round += 1) {
      const prompt: LanguageModelV4Prompt = []
      for (let turn = 0; turn < 4; turn += 1) {
        prompt.push(user(Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join(' ')))
        const part = await answer(prompt)
        if (part?.type !== 'text') break
        if (part.text.endsWith('?')) asked += 1
        prompt.push({ role: 'assistant', content: [part] })
      }
    }
    expect(asked).toBeGreaterThan(100)
  })

  it.each([
    ['spaces', `weather${' '.repeat(32_000)}in x`],
    ['punctuation', `weather in a${'!'.repeat(32_000)}b`],
    ['words', `send ${'to '.repeat(10_000)}`],
    ['sentences', 'weather in x. '.repeat(2_500)],
    ['quotes', `echo ${'("'.repeat(8_000)}`],
    ['digits', `weather in x for ${'9'.repeat(32_000)} days`],
    ['commas', `echo ${'a,'.repeat(16_000)}`],
    ['braces', `echo ${'{"a":'.repeat(6_000)}`],
    ['letters without blanks', 'weather'.repeat(4_500)],
    ['marks', `weather in ${'e\u0301'.repeat(10_000)}`],
  ])('of 32,000 %s are no trouble', async (_, text) => {
    await answer([user(text)])
  })

  it('of a conversation that begins anywhere are no trouble', async () => {
    const result = {
      type: 'tool-result' as const,
      toolCallId: 'x',
      toolName: 'echo',
      output: { type: 'json' as const, value: null },
    }
    await answer([])
    await answer([{ role: 'tool', content: [result] }])
    await answer([{ role: 'assistant', content: [{ type: 'text', text: 'Which city?' }] }, user('Berlin')])
    await answer([user('a'), user('b'), { role: 'tool', content: [result] }])
    await answer([
      { role: 'user', content: [{ type: 'file', data: { type: 'text', text: 'x' }, mediaType: 'text/plain' }] },
    ])
  })
})
