import { bundledAdapters } from '@sibyl/bundle'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { skills } from '@sibyl/plugin-skills'
import { reservePort, scriptedModel, testApp } from '@sibyl/testing'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** The API key of the clients. */
export const key = 'k-0123456789abcdef'

type Script = Parameters<typeof scriptedModel>[0]

/** A plugin that pays after an approval, and reads prices without one. */
const shop = (paid: number[]) =>
  definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Shop',
      summary: 'Sells pumps.',
      whenToUse: ['someone buys a pump'],
      load: 'always',
      examples: [{ user: 'Pay {amount}', tool: 'shop_pay', args: { amount: '{amount}' }, answer: 'Paid.' }],
    },
    setup: () => ({
      tools: {
        shop_look: defineTool({
          description: 'Reads the price of an item.',
          input: z.object({ item: z.string() }),
          output: z.object({ item: z.string(), price: z.number() }),
          effect: 'read',
          execute: async ({ item }) => ({ item, price: 12 }),
        }),
        shop_pay: defineTool({
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: 'user',
          describe: ({ amount }) => `Pay ${amount} €`,
          async execute({ amount }) {
            paid.push(amount)
            return 'paid'
          },
        }),
      },
    }),
  })

/** Starts an oracle on a port with the bundled adapters, until the test ends. */
export const startOracle = async (script: Script = []) => {
  const paid: number[] = []
  const model = scriptedModel(script)
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const oracle = await testApp({
    plugins: [shop(paid), skills()],
    adapters: bundledAdapters(),
    config: { name: 'Field Oracle' },
    model,
    env: { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  await oracle.app.listen()
  return { oracle, url, model, paid }
}
