// An oracle whose every answer charges an account outside, twice, and that can end itself at a commit.
import { DatabaseSync } from 'node:sqlite'
import { createOracleApp } from '@sibyl/core'
import { defineTool, type Tool } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { bankPlugin } from '../frame/bank-plugin.ts'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

/** The address of the account, and the commit at which the process ends; 0 for none. */
const [account = '', cutAt = '0'] = process.argv.slice(2)

let commits = 0
let counts = false
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function prepared(sql) {
  const statement = prepare.call(this, sql)
  if (sql !== 'commit') return statement
  const { run } = statement
  statement.run = (...values: unknown[]) => {
    if (counts) commits += 1
    const result = run.apply(statement, values as never)
    if (commits === Number(cutAt) && counts) process.kill(process.pid, 'SIGKILL')
    return result
  }
  return statement
}

const charge = defineTool({
  description: 'Charges an account.',
  input: z.object({ amount: z.int() }),
  effect: 'write',
  execute: async ({ amount }, { emit }) => {
    const answer = await fetch(`${account}/${amount}`, { method: 'POST' })
    emit({ name: 'charged', data: amount })
    return answer.text()
  },
})

const app = await createOracleApp({
  plugins: [bankPlugin(charge as Tool)],
  model: endlessModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user')
    const charged = prompt.slice(asked).filter(({ role }) => role === 'tool').length
    if (charged === 2) return ['Both are ', 'charged, ', 'in order.']
    return [`Charge ${charged + 1}. `, { tool: 'charge', input: { amount: charged + 1 } }]
  }),
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0 })
counts = true
announceOracle(url, app.identity.did)
