import { z } from 'zod'
import { openStorage } from '../open-storage.ts'
import { openJobs } from './open-jobs.ts'

/** A process for tests to kill: takes in a job of kind `shop/pay` that it holds, and says so. Its argument is the database. */
const storage = await openStorage({ url: process.argv[2] ?? '' })
const jobs = await openJobs({ storage })
jobs.define('shop/pay', z.unknown(), async () => {
  process.stdout.write('ran\n')
})
await jobs.start()
const held = await storage.write(tx => jobs.hold('shop/pay', 'order', { dedupeKey: 'order', tx }))
process.stdout.write(`held ${held?.id}\n`)
