import { checkEnd } from './check-end.ts'
import { checkLedger } from './check-ledger.ts'
import { databaseTemplate } from './database-template.ts'
import { JobsProcess, migrateTrial, Outside } from './jobs-process.ts'
import { LeaseCheck } from './lease-check.ts'
import type { Trial } from './run-seed.ts'

/** Returns the trial of durable jobs, an outbox and the ledger. */
export const jobsTrial = async (): Promise<Trial> => ({
  template: await databaseTemplate(migrateTrial),
  begin(world, server, plan) {
    new LeaseCheck(world, server)
    checkLedger(world, server)
    const outside = new Outside()
    const unfinished = "select 1 from sibyl_job where state in ('waiting', 'running') limit 1"
    return {
      create: () => new JobsProcess(world, outside, plan.longJobs),
      isAtRest: () => server.rows(unfinished).length === 0,
      checkEnd: acknowledged => checkEnd({ world, server, outside, acknowledged }),
    }
  },
})
