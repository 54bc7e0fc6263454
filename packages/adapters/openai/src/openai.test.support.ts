import { definePlugin, defineTool } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { openai } from './openai.ts'

/** The API key of the test client. */
export const key = 'k-0123456789abcdef'

type Options = Partial<Parameters<typeof testApp>[0]>

/** Starts an oracle on a port, and the openai SDK as its client. */
export const start = async ({ env, ...options }: Options = {}) => {
  const oracle = await testApp({
    plugins: [],
    adapters: [openai()],
    config: { name: 'Field Oracle' },
    ...options,
    env: { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: '0', ...env },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const connect = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  return { oracle, client: connect(key), connect, url }
}

/** A tool that asks before it pays, unless it is not to. */
export const shop = ({ asks = true } = {}) => {
  const paid: number[] = []
  const plugin = definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'always' },
    setup: () => ({
      tools: {
        pay: defineTool({
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: asks ? 'user' : undefined,
          describe: ({ amount }) => `Pay ${amount} €`,
          async execute({ amount }) {
            paid.push(amount)
            return 'paid'
          },
        }),
      },
    }),
  })
  return { plugin, paid }
}
