import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { planInWords } from '../plan-task.ts'
import type { TaskStore } from '../store/task-store.ts'
import type { TaskDesk } from '../task-desk.ts'
import { taskIdInput, taskInput } from '../task-input.ts'
import { runRecord, runRecordOf, taskRecord, taskRecordOf } from '../task-record.ts'

const tags = ['Tasks']
const read = { ucan: 'tasks/read' } as const
const write = { ucan: 'tasks/write' } as const
const refused = {
  401: routeAnswers.problem('Not authenticated'),
  403: routeAnswers.problem('Not allowed'),
}
const unknown = { 404: routeAnswers.problem('`task_not_found`') }
const conflict = { 409: routeAnswers.problem('`task_state_conflict`') }
const badInput = {
  400: routeAnswers.problem('`task_time_invalid`, `task_address_invalid`, `task_empty`, `input_invalid`'),
}
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

/** What a person does with their tasks over HTTP: the caller's own alone. */
export const taskRoutes = ({ desk, store }: { readonly desk: TaskDesk; readonly store: TaskStore }): Route[] => [
  defineRoute(
    read,
    {
      method: 'get',
      path: '/tasks',
      tags,
      summary: 'Your tasks, the newest first',
      request: {
        query: z.object({
          all: z.enum(['true', 'false']).optional().meta({ description: 'Also those that are over' }),
        }),
      },
      responses: { 200: routeAnswers.json('The tasks', z.object({ tasks: z.array(taskRecord) })), ...refused },
    },
    async c => {
      const tasks = await desk.list(c.get('actor')!.did, c.req.valid('query').all === 'true')
      return c.json({ tasks: tasks.map(taskRecordOf) }, 200)
    },
  ),
  defineRoute(
    write,
    {
      method: 'post',
      path: '/tasks',
      tags,
      summary: 'Create a task',
      request: {
        body,
        headers: z.object({
          'idempotency-key': z
            .string()
            .min(1)
            .max(200)
            .optional()
            .meta({ description: 'Two creations of one key are one' }),
        }),
      },
      responses: {
        200: routeAnswers.json('The task that this key created before', taskRecord),
        201: routeAnswers.json('The task', taskRecord),
        ...badInput,
        401: refused[401],
        403: routeAnswers.problem(
          'Not allowed; `scope_missing` for work of the agent without `chat/send`; `sms_phone_not_own`',
        ),
        409: routeAnswers.problem('`tasks_full`'),
        422: routeAnswers.problem('`task_key_reused`'),
      },
    },
    async c => {
      const key = c.req.valid('header')['idempotency-key'] ?? crypto.randomUUID()
      const { task, isNew } = await desk.create({
        actor: c.get('actor')!,
        input: c.req.valid('json'),
        key: `http/${key}`,
      })
      return c.json(taskRecordOf(task), isNew ? 201 : 200)
    },
  ),
  defineRoute(
    read,
    {
      method: 'post',
      path: '/tasks/preview',
      tags,
      summary: 'What a task would do, and when; nothing is created',
      request: { body },
      responses: { 200: routeAnswers.json('The preview', preview), ...badInput, ...refused },
    },
    async c => {
      const plan = await desk.preview(c.get('actor')!, c.req.valid('json'))
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
  defineRoute(
    read,
    {
      method: 'get',
      path: '/tasks/{id}',
      tags,
      summary: 'One task',
      request: { params: one },
      responses: { 200: routeAnswers.json('The task', taskRecord), ...refused, ...unknown },
    },
    async c => c.json(taskRecordOf(await desk.find(c.get('actor')!.did, c.req.valid('param').id)), 200),
  ),
  defineRoute(
    read,
    {
      method: 'get',
      path: '/tasks/{id}/runs',
      tags,
      summary: 'What became of a task, the latest run first',
      request: { params: one, query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }) },
      responses: { 200: routeAnswers.json('The runs', z.object({ runs: z.array(runRecord) })), ...refused, ...unknown },
    },
    async c => {
      const { did } = c.get('actor')!
      const { id } = await store.find(did, c.req.valid('param').id)
      return c.json({ runs: (await store.runs(did, id, c.req.valid('query').limit)).map(runRecordOf) }, 200)
    },
  ),
  defineRoute(
    write,
    {
      method: 'post',
      path: '/tasks/{id}/runs',
      tags,
      summary: 'Have a task run now, out of turn',
      request: { params: one },
      responses: { 202: routeAnswers.json('The run, which begins', runRecord), ...refused, ...unknown, ...conflict },
    },
    async c => c.json(runRecordOf(await desk.runNow(c.get('actor')!.did, c.req.valid('param').id)), 202),
  ),
  ...(['pause', 'resume'] as const).map(change =>
    defineRoute(
      write,
      {
        method: 'post',
        path: `/tasks/{id}/${change}` as const,
        tags,
        summary:
          change === 'pause' ? 'Let the times of a task pass without a run' : 'Have a paused or stopped task run again',
        request: { params: one },
        responses: { 200: routeAnswers.json('The task', taskRecord), ...refused, ...unknown, ...conflict },
      },
      async c => c.json(taskRecordOf(await desk[change](c.get('actor')!, c.req.valid('param').id)), 200),
    ),
  ),
  defineRoute(
    write,
    {
      method: 'delete',
      path: '/tasks/{id}',
      tags,
      summary: 'End a task for good; a run that is under way is stopped',
      request: { params: one },
      responses: { 200: routeAnswers.json('The task', taskRecord), ...refused, ...unknown, ...conflict },
    },
    async c => c.json(taskRecordOf(await desk.cancel(c.get('actor')!, c.req.valid('param').id)), 200),
  ),
]
