import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { tasksErrors } from './definitions/tasks-errors.ts'
import { dueQuery, dueRuns, findDueRuns, windowOf } from './due-runs.ts'
import { planInWords } from './plan-task.ts'
import { runRecord, taskRecord } from './records/task-records.ts'
import type { TaskStore } from './store/task-store.ts'
import { taskIdInput, taskInput } from './task-input.ts'
import { runRecordOf, taskRecordOf } from './task-record.ts'
import type { TaskService } from './task-service.ts'

const read = { ucan: 'tasks/read' } as const
const write = { ucan: 'tasks/write' } as const
const one = z.object({ id: taskIdInput })
const preview = z.object({
  summary: z.string(),
  timeZone: z.string(),
  next: z.array(z.iso.datetime()),
  deliver: z.array(z.object({ channel: z.string(), to: z.string() })),
})
const example = {
  what: 'Say what maize costs in Lusaka today',
  when: { every: 'day', time: '07:00' },
  timeZone: 'Africa/Lusaka',
}
const body = { required: true as const, content: { 'application/json': { schema: taskInput, example } } }

const keyHeader = (description: string) =>
  z.object({ 'idempotency-key': z.string().min(1).max(200).optional().meta({ description }) })

/** Creates the routes for a user's own tasks. */
export const taskRoutes = (service: TaskService, store: TaskStore, now: () => number): Route[] => [
  route.get(
    '/tasks',
    {
      auth: read,
      summary: 'List your tasks, newest first',
      query: z.object({
        all: z.enum(['true', 'false']).optional().meta({ description: 'Include ended tasks' }),
      }),
      ok: { 200: { description: 'The tasks', schema: z.object({ tasks: z.array(taskRecord) }) } },
    },
    async c => {
      const tasks = await service.list(c.get('actor').did, c.req.valid('query').all === 'true')
      return c.json({ tasks: tasks.map(taskRecordOf) }, 200)
    },
  ),
  route.post(
    '/tasks',
    {
      auth: write,
      summary: 'Create a task',
      body,
      headers: keyHeader('Two requests with the same key create one task'),
      ok: {
        200: { description: 'The task that this key created before', schema: taskRecord },
        201: { description: 'The task', schema: taskRecord },
      },
      errors: [
        tasksErrors.task_time_invalid,
        tasksErrors.task_address_invalid,
        tasksErrors.task_empty,
        tasksErrors.task_agent_denied,
        { code: 'sms_phone_not_own', status: 403 },
        tasksErrors.tasks_full,
        tasksErrors.task_key_reused,
      ],
    },
    async c => {
      const key = c.req.valid('header')['idempotency-key'] ?? crypto.randomUUID()
      const { task, isNew } = await service.create({
        actor: c.get('actor'),
        input: c.req.valid('json'),
        key: `http/${key}`,
      })
      return c.json(taskRecordOf(task), isNew ? 201 : 200)
    },
  ),
  route.post(
    '/tasks/preview',
    {
      auth: read,
      summary: 'Preview a task without creating it',
      body,
      ok: { 200: { description: 'The preview', schema: preview } },
      errors: [tasksErrors.task_time_invalid, tasksErrors.task_address_invalid, tasksErrors.task_empty],
    },
    async c => {
      const plan = await service.preview(c.get('actor'), c.req.valid('json'))
      const { timeZone, next, deliver } = plan
      return c.json(
        {
          summary: planInWords(plan, 'own'),
          timeZone,
          next: next.map(at => new Date(at).toISOString()),
          deliver: deliver.map(({ channel, shown }) => ({ channel, to: shown })),
        },
        200,
      )
    },
  ),
  route.get(
    '/tasks/due',
    {
      auth: read,
      summary: 'List the due runs of your tasks by time',
      query: dueQuery,
      ok: { 200: { description: 'The runs', schema: dueRuns } },
    },
    async c => {
      const tasks = await service.list(c.get('actor').did, false)
      return c.json(await findDueRuns(tasks, windowOf(c.req.valid('query'), now()), ({ what }) => ({ what })), 200)
    },
  ),
  route.get(
    '/tasks/{id}',
    {
      auth: read,
      summary: 'Get a task',
      params: one,
      ok: { 200: { description: 'The task', schema: taskRecord } },
      errors: [tasksErrors.task_not_found],
    },
    async c => c.json(taskRecordOf(await service.find(c.get('actor').did, c.req.valid('param').id)), 200),
  ),
  route.get(
    '/tasks/{id}/runs',
    {
      auth: read,
      summary: 'List the runs of a task, latest first',
      params: one,
      query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
      ok: { 200: { description: 'The runs', schema: z.object({ runs: z.array(runRecord) }) } },
      errors: [tasksErrors.task_not_found],
    },
    async c => {
      const { did } = c.get('actor')
      const { id } = await store.find(did, c.req.valid('param').id)
      return c.json({ runs: (await store.runs(did, id, c.req.valid('query').limit)).map(runRecordOf) }, 200)
    },
  ),
  route.post(
    '/tasks/{id}/runs',
    {
      auth: write,
      summary: 'Run a task now, outside its schedule',
      params: one,
      headers: keyHeader('Two requests with the same key start one run'),
      ok: { 202: { description: 'The run that began', schema: runRecord } },
      errors: [tasksErrors.task_not_found, tasksErrors.task_state_conflict],
    },
    async c => {
      const key = c.req.valid('header')['idempotency-key']
      return c.json(runRecordOf(await service.runNow(c.get('actor').did, c.req.valid('param').id, key)), 202)
    },
  ),
  ...(['pause', 'resume'] as const).map(change =>
    route.post(
      `/tasks/{id}/${change}` as const,
      {
        auth: write,
        summary:
          change === 'pause' ? 'Pause a task; its scheduled runs are skipped' : 'Resume a paused or stopped task',
        params: one,
        ok: { 200: { description: 'The task', schema: taskRecord } },
        errors: [tasksErrors.task_not_found, tasksErrors.task_state_conflict],
      },
      async c => c.json(taskRecordOf(await service[change](c.get('actor'), c.req.valid('param').id)), 200),
    ),
  ),
  route.delete(
    '/tasks/{id}',
    {
      auth: write,
      summary: 'Cancel a task permanently; a run in progress is stopped',
      params: one,
      ok: { 200: { description: 'The task', schema: taskRecord } },
      errors: [tasksErrors.task_not_found, tasksErrors.task_state_conflict],
    },
    async c => c.json(taskRecordOf(await service.cancel(c.get('actor'), c.req.valid('param').id)), 200),
  ),
]
