import { databaseTemplate } from './database-template.ts'
import type { Trial } from './run-seed.ts'
import { ScheduleCheck } from './schedule-check.ts'
import { schedulesEndMs, schedulesPlan } from './schedules-plan.ts'
import { migrateSchedules, SchedulesProcess } from './schedules-process.ts'
import type { SimulatedProcess } from './world.ts'

/** Returns the trial of cron schedules. */
export const schedulesTrial = async (): Promise<Trial> => ({
  template: await databaseTemplate(migrateSchedules),
  plan: schedulesPlan,
  begin(world, server, plan) {
    const ready = new Map<SimulatedProcess, number>()
    new ScheduleCheck(world, server, ready)
    return {
      create: () => new SchedulesProcess(world, ready, plan.longJobs),
      isAtRest: () => world.now >= schedulesEndMs,
      checkEnd() {},
    }
  },
})
