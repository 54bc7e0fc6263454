import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { run } from './main.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const payments: string[] = []

const bank = () =>
  definePlugin({
    name: 'bank',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Bank',
      summary: 'Knows balances and pays.',
      whenToUse: ['somebody is to be paid', 'a balance is asked for'],
      examples: [
        {
          user: 'How much does {name} have?',
          tool: 'get_balance',
          args: { name: '{name}' },
          answer: '{name} has {euros} €.',
        },
        {
          user: 'Pay {name} {euros} euros',
          tool: 'pay',
          args: { name: '{name}', euros: '{euros}' },
          answer: 'Paid {name}.',
        },
      ],
    },
    setup: () => ({
      tools: {
        get_balance: defineTool({
          description: 'Tells how much somebody has.',
          input: z.object({ name: z.string() }),
          effect: 'read',
          execute: async ({ name }) => ({ name, euros: 12 }),
        }),
        pay: defineTool({
          description: 'Pays somebody.',
          input: z.object({ name: z.string(), euros: z.number() }),
          effect: 'write',
          ability: 'bank/pay',
          approval: 'user',
          describe: ({ name, euros }) => `Pay ${euros} € to ${name}`,
          execute: async ({ name }) => {
            payments.push(name)
            return { name }
          },
        }),
      },
    }),
  })

const boot = async () => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-real-'))
  cleanups.push(() => rm(home, { recursive: true, force: true }))
  const oracle = await testApp({ plugins: [bank()] })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  return (args: readonly string[]) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: `http://127.0.0.1:${port}` }, false)
    return run(['chat', ...args], terminal.io).then(code => ({ code, text: terminal.text }))
  }
}

it('shows how a real oracle finds a plugin, loads it and calls its tool', async () => {
  const chat = await boot()
  const { code, text } = await chat(['--once', 'How much does Ada have?', '--session', 's'])
  expect(
    text
      .replace(/ +(?:\d+ ms|\d+\.\d s)/g, ' # ms')
      .replace(/\d+ tokens/g, '# tokens')
      .replace(/\d+\.\d+ s/, '# s'),
  ).toBe(
    [
      '        · list_capabilities # ms',
      '        · load_capability   bank # ms   +2 tools, # tokens',
      '        · get_balance   name: Ada # ms',
      'oracle  Ada has 12 €.',
      '        offline model · 4 steps · # s · # tokens',
      '',
    ].join('\n'),
  )
  expect(code).toBe(0)
  const again = await chat(['--once', 'How much does Bob have?', '--session', 's'])
  expect(again.text).not.toContain('load_capability')
  expect(again.text).toContain('oracle  Bob has 12 €.')
})

it('asks before a payment, in plain language', async () => {
  const chat = await boot()
  const denied = await chat(['--once', 'Pay Ada 5 euros'])
  expect(denied.text).toContain(
    '        Pay 5 € to Ada\n          tool: pay\n          name: "Ada"\n          euros: 5\n',
  )
  expect(payments).toEqual([])
  const allowed = await chat(['--once', 'Pay Bob 5 euros', '--approve', 'once'])
  expect(allowed.text).toContain('oracle  Paid Bob.')
  expect(payments).toEqual(['Bob'])
})

it('grants the agent the abilities of the user, or fewer', async () => {
  const chat = await boot()
  const before = payments.length
  const narrow = await chat(['--once', 'Pay Bob 5 euros', '--approve', 'once', '--ability', 'chat/*'])
  expect(narrow.text).toContain('It requires the ability bank/pay, which this caller does not have.')
  expect(payments.length).toBe(before)
  const wide = await chat([
    '--once',
    'Pay Bob 5 euros',
    '--approve',
    'once',
    '--ability',
    'chat/*',
    '--ability',
    'bank/pay',
  ])
  expect(wide.text).toContain('oracle  Paid Bob.')
})
