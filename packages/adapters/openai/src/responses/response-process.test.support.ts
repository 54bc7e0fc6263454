import { scriptedModel, testApp } from '@sibyl/testing'
import { shop } from '../openai.test.support.ts'
import { openai } from '../openai.ts'

// An oracle in a process of its own, whose second model call never ends: prints its address.

const never = new Promise<never>(() => {})
const { app } = await testApp({
  plugins: [shop({ asks: false }).plugin],
  adapters: [openai()],
  model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, ['Paid', { wait: never }]]),
  env: {
    DATABASE_URL: process.env.DATABASE_URL,
    ORACLE_MNEMONIC: process.env.ORACLE_MNEMONIC,
    ORACLE_API_KEYS: process.env.ORACLE_API_KEYS,
    HOST: '127.0.0.1',
    PORT: '0',
  },
})
const { url } = await app.listen()
process.stdout.write(`${url}\n`)
