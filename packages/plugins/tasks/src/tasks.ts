import { definePlugin } from '@sibyl/plugin'
import { personNotices, userPreferences } from '@sibyl/protocol'
import { tasksEnv } from './definitions/tasks-env.ts'
import { manifest } from './manifest.ts'
import { operatorTaskRoutes } from './operator-task-routes.ts'
import { postRun } from './runs/deliver-run.ts'
import { OldRuns } from './runs/old-runs.ts'
import { sweepTasks } from './runs/sweep-tasks.ts'
import { defineTaskJobs, taskAlarms } from './runs/task-jobs.ts'
import { createRunStore } from './store/run-store.ts'
import { createTaskStore } from './store/task-store.ts'
import type { TasksTables } from './store/task-tables.ts'
import { taskMigrations } from './store/task-tables.ts'
import { taskRecords } from './task-record.ts'
import { taskRoutes } from './task-routes.ts'
import { createTaskService } from './task-service.ts'
import { taskTools } from './task-tools.ts'

/**
 * Runs tasks later, once or on a schedule.
 *
 * @example
 * await createOracleApp({ config, plugins: [tasks()] })
 */
export const tasks = () =>
  definePlugin<typeof tasksEnv, TasksTables>({
    name: 'tasks',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: tasksEnv,
    uses: ['user-preferences', 'sms', 'matrix'],
    migrations: taskMigrations,
    async setup(host) {
      const { env, storage, jobs, turns, grants, clock, limits, log } = host
      const now = () => clock.now()
      const { setAlarm, setRetry } = taskAlarms(jobs)
      const notices = {
        sms: host.optionalService(personNotices.sms),
        matrix: host.optionalService(personNotices.matrix),
      }
      const store = createTaskStore({
        storage,
        setAlarm,
        now,
        maxPerUser: env.TASKS_MAX_PER_USER,
        maxTotal: env.TASKS_MAX_TOTAL,
        shareOf: limits.shareOf,
      })
      const runs = createRunStore({
        storage,
        setAlarm,
        setRetry,
        say: postRun(turns),
        now,
        missedRun: env.TASKS_MISSED_RUN,
      })
      const oldRuns = new OldRuns(storage)
      const preferences = host.optionalService(userPreferences)
      const minIntervalMinutes = env.TASKS_MIN_INTERVAL_MINUTES
      const service = createTaskService({ store, turns, grants, notices, preferences, now, minIntervalMinutes, log })
      const timeLimitMs = env.TASKS_TIME_LIMIT_SECONDS * 1_000
      const sweep = sweepTasks({ storage, setAlarm, turns, oldRuns, now, log })
      await defineTaskJobs({ jobs, limits, runs, oldRuns, turns, grants, notices, timeLimitMs, sweep, log })
      return {
        tools: taskTools(service),
        // Before `/tasks/{id}`, which would match it too.
        routes: [...operatorTaskRoutes(storage, now), ...taskRoutes(service, store, now)],
        personalRecords: taskRecords(store, log),
      }
    },
  })
