// An oracle that phones call. Delivery, below Know More, notes a line in a file outside; its clock is moved from outside.
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { type ActionContext, defaultFlow, type Flow, type FlowServices, ussd } from '@sibyl/plugin-ussd'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

const [journal] = process.argv.slice(2)
const stepMs = 10
let aheadMs = 0

process.on('message', (message: { readonly aheadMs?: number }) => {
  if (message.aheadMs === undefined) return
  aheadMs = message.aheadMs
  process.send?.({ moved: aheadMs })
})

/** Notes a line and says so, with time to be killed before it and after it. */
const note =
  (file: string) =>
  async ({ idempotencyKey, phoneNumber }: ActionContext) => {
    await pause(stepMs)
    appendFileSync(file, `${idempotencyKey} ${phoneNumber}\n`)
    process.stdout.write(`${JSON.stringify({ noted: idempotencyKey })}\n`)
    await pause(2 * stepMs)
    return { to: 'noted' }
  }

const notingFlow =
  (file: string) =>
  (services: FlowServices): Flow => {
    const flow = defaultFlow(services)
    return {
      ...flow,
      screens: {
        ...flow.screens,
        delivery: { kind: 'action', effect: 'write', run: note(file), leadsTo: ['noted'] },
        noted: { kind: 'message', text: 'Noted.' },
      },
    }
  }

const app = await createOracleApp({
  plugins: [ussd(journal === undefined ? {} : { flow: notingFlow(journal) })],
  clock: { now: () => Date.now() + aheadMs },
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(url, app.identity.did)
