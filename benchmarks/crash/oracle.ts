// An oracle whose agent charges an account outside, once a step.
import { createOracleApp } from '@sibyl/core'
import { defineTool, type Tool } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { bankPlugin } from '../faults/frame/bank-plugin.ts'
import { announceOracle } from '../faults/frame/start-oracle.ts'

const account = process.env.ACCOUNT_URL ?? ''

const charge = defineTool({
  description: 'Charges an account.',
  input: z.object({ turn: z.string(), amount: z.int() }),
  effect: 'write',
  execute: async ({ turn, amount }) => (await fetch(`${account}/${turn}/${amount}`, { method: 'POST' })).text(),
})

const app = await createOracleApp({ plugins: [bankPlugin(charge as Tool)], logger: silentLogger })
const { url } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(url, app.identity.did)
