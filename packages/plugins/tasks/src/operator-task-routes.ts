import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { didText, normalDid } from '@sibyl/protocol'
import { z } from 'zod'
import { dueQuery, dueRuns, findDueRuns, windowOf } from './due-runs.ts'
import { listedTaskRecord, taskStates } from './records/task-records.ts'
import { type ListedTask, listAllTasks, listDueTasks } from './store/all-tasks.ts'
import type { TasksStorage } from './store/task-tables.ts'
import { runRecordOf, taskRecordOf } from './task-record.ts'

const allTasks = page({
  name: 'tasks',
  item: listedTaskRecord,
  key: z.tuple([z.number(), z.string()]),
  limit: 50,
  maxLimit: 200,
})

/** Creates the routes for the tasks of all users. */
export const operatorTaskRoutes = (storage: Pick<TasksStorage, 'read'>, now: () => number): Route[] => [
  route.get(
    '/tasks/all',
    {
      auth: 'operator',
      summary: 'List the tasks of all users, newest first',
      description:
        'Owner, schedule, next and last run. Instructions, results and addresses are for the owner alone; only the owner changes a task.',
      query: allTasks.query.extend({
        did: didText.overwrite(normalDid).optional().meta({ description: 'Only tasks of this user' }),
        state: z.enum(taskStates).optional().meta({ description: 'Only tasks in this state' }),
        failing: z
          .enum(['true', 'false'])
          .default('false')
          .meta({ description: 'Only tasks whose last runs failed, and stopped ones' }),
      }),
      ok: { 200: { description: 'The tasks', schema: allTasks.response } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      const { limit, cursor, did, state, failing } = c.req.valid('query')
      const filters = { did, state, failing }
      const rows = await listAllTasks(storage, {
        owner: did,
        state,
        failing: failing === 'true',
        limit: limit + 1,
        after: allTasks.read(cursor, filters),
      })
      const list = allTasks.make(rows, {
        limit,
        filters,
        keyOf: ({ task }): [number, string] => [task.createdAt, task.id],
        itemOf: recordOf,
      })
      return c.json(list, 200)
    },
  ),
  route.get(
    '/tasks/all/due',
    {
      auth: 'operator',
      summary: 'List the due runs of all users by time',
      description: 'Of at most 500 tasks, those that run first.',
      query: dueQuery,
      ok: { 200: { description: 'The runs', schema: dueRuns } },
    },
    async c => {
      const window = windowOf(c.req.valid('query'), now())
      const tasks = await listDueTasks(storage, window.until)
      return c.json(await findDueRuns(tasks, window, ({ owner }) => ({ did: owner })), 200)
    },
  ),
]

/** Removes every member that the record does not name. */
const recordOf = ({ task, lastRun }: ListedTask): z.infer<typeof listedTaskRecord> =>
  listedTaskRecord.parse({
    ...taskRecordOf(task),
    did: task.owner,
    channels: task.deliver.map(({ channel }) => channel),
    lastRun: lastRun && runRecordOf(lastRun),
  })
