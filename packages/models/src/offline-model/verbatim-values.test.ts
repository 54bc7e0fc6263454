import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OfflineCatalogEntry } from './offline-catalog.ts'
import { startOracle } from './sample-oracle.test.support.ts'

const entry = (name: string, user: string | string[], args: Record<string, string>): OfflineCatalogEntry => ({
  name,
  mode: 'always',
  manifest: {
    title: name,
    summary: `What ${name} does.`,
    whenToUse: [`someone wants ${name}`],
    examples: [{ user, tool: name, args, answer: 'Done.' }],
  },
  tools: [{ name, input: z.object(Object.fromEntries(Object.keys(args).map(key => [key, z.string()]))) }],
})

const catalog = [
  entry('read', ['Read {url}', 'Summarise the page at {url} for me'], { url: '{url}' }),
  entry('run', ['Run this code: {code}', 'Run {code} with the input {data}'], { code: '{code}' }),
  entry('keep', ['Remember that {text}', 'Remember: {text}'], { text: '{text}' }),
]

const argsOf = async (text: string) => (await startOracle({}, catalog).ask(text)).args

describe('a program is passed unchanged', () => {
  it.each([
    'const x = [1,2].map(n => n*2); x',
    'const f = () => {\n  return "a, b"\n}\nf();',
    'for (const n of [1, 2]) {\n\n  log(n)\n}',
    '({ a: [1, 2] })',
    '[1, 2]',
    "'use strict'; x",
    'if (ok) { run() }',
    '"please"',
    'await now()',
    '{\n  "a": 1\n}',
    'a < b && b > c',
    'x = 1 /* done */',
    'x\n// thanks',
  ])('%j', async code => {
    expect(await argsOf(`Run this code: ${code}`)).toEqual({ code })
    expect(await argsOf(`Run this code:\n\`\`\`js\n${code}\n\`\`\``)).toEqual({ code })
    expect(await argsOf(`run this code\n\n\`\`\`\n${code}\n\`\`\`\n`)).toEqual({ code })
  })

  it.each([
    ['Run this code: `1 + 1`.', '`1 + 1`'],
    ['Run this code: `1 + 1`', '1 + 1'],
    ['Run this code: 1 + 1.', '1 + 1'],
    ['Could you run this code: f(1)?', 'f(1)'],
    ['Run this code: ```x()```', 'x()'],
    ['Run this code:\n```python\n  if x:\n    y()\n```', '  if x:\n    y()'],
  ])('%j', async (text, code) => {
    expect(await argsOf(text)).toEqual({ code })
  })
})

describe('an address comes through with its query', () => {
  it.each([
    ['Read https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['Read https://example.org/a?b=c.', 'https://example.org/a?b=c'],
    ['please read https://example.org/a?b=c&d=%20e#part, please', 'https://example.org/a?b=c&d=%20e#part'],
    ['Can you read <https://example.org/A_(b)>?', 'https://example.org/A_(b)'],
    ['Read "https://example.org/ü/"!', 'https://example.org/ü/'],
    ['Read data:text/plain;base64,SGVsbG8=', 'data:text/plain;base64,SGVsbG8='],
    ['Summarise the page at https://example.org/x?now=today for me', 'https://example.org/x?now=today'],
    ['Read http://[2001:db8::1]:8080/x', 'http://[2001:db8::1]:8080/x'],
    ["Read https://example.org/it's?q=what's", "https://example.org/it's?q=what's"],
  ])('%s', async (text, url) => {
    expect(await argsOf(text)).toEqual({ url })
  })
})

describe('what is to be kept comes through in its own words', () => {
  const long = Array.from({ length: 400 }, (_, index) => `Line ${index} says "that", (and) it's fine;`).join('\n')
  it.each([
    ['Remember that the total is 46 kg.', 'the total is 46 kg'],
    [
      "Remember that Ada's boat (the blue one) is at pier 4, and that's all",
      "Ada's boat (the blue one) is at pier 4, and that's all",
    ],
    ['Remember: 1. bread 2. salt', '1. bread 2. salt'],
    [`Remember: ${long}`, long.slice(0, -1)],
    ['Remember that the day begins at 5 today', 'the day begins at 5 today'],
  ])('%.40s', async (text, kept) => {
    expect(await argsOf(text)).toEqual({ text: kept })
  })
})
