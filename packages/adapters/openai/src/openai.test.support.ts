import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
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

/** Starts an oracle in a process, on a database in `DATABASE_URL`, whose turn a test cuts by killing it. */
export const startResponseProcess = async (databaseUrl: string) => {
  const env = {
    DATABASE_URL: databaseUrl,
    ORACLE_MNEMONIC: `${'abandon '.repeat(11)}about`,
    ORACLE_API_KEYS: `app:${key}:*:did:example:ada`,
  }
  const script = fileURLToPath(new URL('./responses/response-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url: String(url), env }
}
