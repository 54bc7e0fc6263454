import { type Actor, defineTool, isToolFailure, personalAbility, type Tools } from '@sibyl/plugin'
import { z } from 'zod'
import { planInWords } from './plan-task.ts'
import { taskRecord } from './records/task-records.ts'
import { clip, reasonOf } from './runs/word-run.ts'
import { previewInputSchema, taskIdInput, taskInput, taskInputSchema } from './task-input.ts'
import { taskRecordOf } from './task-record.ts'
import type { TaskService } from './task-service.ts'

const idInput = z.object({ id: taskIdInput })
const idSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const done = z.object({ id: z.string(), state: z.string(), summary: z.string() })

/** Creates the tools for the user's own tasks. */
export const taskTools = (tasks: TaskService): Tools => ({
  preview_task: defineTool({
    description: 'Previews a task: what it would do, and when. Creates nothing.',
    effect: 'read',
    ability: ['tasks/read', personalAbility],
    input: taskInput,
    inputSchema: previewInputSchema,
    output: z.object({ summary: z.string() }),
    async execute(input, { turn }) {
      const plan = await tasks.preview(turn.actor, input)
      return { summary: `${planInWords(plan)}\nNothing is created yet.` }
    },
  }),
  create_task: defineTool({
    description: 'Schedules `what` for the agent, in a fresh session; the result appears here.',
    effect: 'write',
    ability: ['tasks/write', personalAbility],
    approval: 'user',
    input: taskInput,
    inputSchema: taskInputSchema,
    output: z.object({ id: z.string(), summary: z.string() }),
    async describe(input, turn) {
      try {
        return planInWords(await tasks.preview(turn.actor, input)).replaceAll('\n', '. ')
      } catch (error) {
        if (!isToolFailure(error)) throw error
        return `Create a task, which will fail: ${error.message}`
      }
    },
    async execute(input, { turn, idempotencyKey }) {
      const { task, plan } = await tasks.create({
        actor: turn.actor,
        input,
        key: `tool/${idempotencyKey}`,
        session: turn.session.id,
      })
      return { id: task.id, summary: `Created as ${task.id}.\n${planInWords(plan)}` }
    },
  }),
  list_tasks: defineTool({
    description: "Lists the user's tasks.",
    effect: 'read',
    ability: ['tasks/read', personalAbility],
    input: z.object({ ended: z.boolean().default(false).describe('Include ended tasks') }),
    output: z.object({
      count: z.int(),
      summary: z.string(),
      tasks: z.array(taskRecord.pick({ id: true, what: true, when: true, timeZone: true, state: true, next: true })),
    }),
    async execute({ ended }, { turn }) {
      const found = (await tasks.list(turn.actor.did, ended)).slice(0, 50).map(taskRecordOf)
      const lines = found.map(
        ({ id, what, when, state, stopReason, nextInWords }) =>
          `- ${id}: ${clip(what, 100)}; ${when}; ${state}${stopReason === undefined ? '' : `: ${reasonOf(stopReason)}`}${nextInWords === undefined ? '' : `, next ${nextInWords}`}`,
      )
      return {
        count: found.length,
        summary: found.length === 0 ? 'There are no tasks.' : `These are the tasks:\n${lines.join('\n')}`,
        tasks: found.map(task => ({ ...task, what: clip(task.what, 300) })),
      }
    },
  }),
  cancel_task: changeTool('Cancels a task permanently.', async (actor, id) => {
    const { state } = await tasks.cancel(actor, id)
    return { id, state, summary: `Task ${id} is cancelled.` }
  }),
  pause_task: changeTool('Pauses a task.', async (actor, id) => {
    const { state } = await tasks.pause(actor, id)
    return { id, state, summary: `Task ${id} is paused.` }
  }),
  resume_task: changeTool('Resumes a paused or stopped task.', async (actor, id) => {
    const { state, nextInWords = 'at once' } = taskRecordOf(await tasks.resume(actor, id))
    return { id, state, summary: `Task ${id} runs again, next ${nextInWords}.` }
  }),
})

const changeTool = (description: string, change: (actor: Actor, id: string) => Promise<z.output<typeof done>>) =>
  defineTool({
    description,
    effect: 'write',
    ability: ['tasks/write', personalAbility],
    input: idInput,
    inputSchema: idSchema,
    output: done,
    execute: ({ id }, { turn }) => change(turn.actor, id),
  })
