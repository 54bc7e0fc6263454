// An oracle with jobs, whose parent moves its clock and takes jobs in; it notes in a file outside which of them ran.
import { appendFileSync } from 'node:fs'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, type Host } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { askedText, endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const [journal = ''] = process.argv.slice(2)
const jobData = z.object({ name: z.string(), takesMs: z.number() })
const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

let jobs: Host['jobs'] | undefined
const clockwork = definePlugin({
  name: 'clockwork',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Clockwork', summary: 'Runs jobs.', whenToUse: ['something is to be done later'] },
  setup(host) {
    jobs = host.jobs
    host.jobs.define('clockwork/note', jobData, async ({ name, takesMs }) => {
      appendFileSync(journal, `${name}\n`)
      await pause(takesMs)
    })
    return {}
  },
})

process.on('message', async (message: { readonly job?: string; readonly inMs?: number; readonly takesMs?: number }) => {
  if (message.job === undefined || !jobs) return
  const data = { name: message.job, takesMs: message.takesMs ?? 0 }
  await jobs.enqueue('clockwork/note', data, { runAt: Date.now() + (message.inMs ?? 0) })
  process.send?.({ taken: message.job })
})

const words = 20
const app = await createOracleApp({
  plugins: [clockwork],
  model: endlessModel(call => {
    const msPerWord = Number(askedText(call)) / words
    return Array.from({ length: words }, (_, index) => [
      `word${index} `,
      { wait: pause(msPerWord * (index + 1)) },
    ]).flat()
  }),
  logger: silentLogger,
})
await jobs?.schedule('clockwork-hourly', '0 * * * *', 'UTC', 'clockwork/note', { name: 'hourly', takesMs: 0 })
const { url } = await app.listen({ port: 0 })
announceOracle(url, app.identity.did)
