import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { maxWhat } from './store/task.ts'
import { whenInput } from './when/read-when.ts'

export const taskIdInput = z
  .string()
  .trim()
  .regex(/^[\w-]{1,40}$/, 'That is no id of a task.')

/** Where results go besides the session. */
const deliverInput = z.object({
  sms: z
    .union([z.boolean(), z.string().max(40)])
    .optional()
    .describe('true: their own phone; or a number that they linked'),
  matrix: z
    .union([z.boolean(), z.string().max(300)])
    .optional()
    .describe("true: their own room; or a room's id or alias"),
})

/** What a task is made from, for the agent and over HTTP. */
export const taskInput = z.object({
  what: z
    .string()
    .trim()
    .min(1)
    .max(maxWhat)
    .describe('The instruction, whole in itself')
    .meta({ example: 'Write down what maize costs in Lusaka today' }),
  when: whenInput,
  timeZone: z.string().trim().min(1).max(60).optional().describe("IANA; default: the person's"),
  remind: z.boolean().default(false).describe('Only say `what`, without work'),
  context: z.string().trim().max(maxWhat).default('').describe('What the run must know of this conversation'),
  deliver: deliverInput.default({}),
})

/** What a schema says that only its check needs: the model reads it in the refusal. */
const checksAlone = [
  'additionalProperties',
  'default',
  'example',
  'maximum',
  'maxLength',
  'minimum',
  'minLength',
  'pattern',
]

const shown = (input: z.ZodType): JsonObject => {
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      for (const name of checksAlone) Reflect.deleteProperty(jsonSchema, name)
    },
  })
  return schema as JsonObject
}

/** `taskInput` as the model is shown it, in few tokens. */
export const taskInputSchema = shown(taskInput)

/** The same for a preview, which takes what it does not show. */
export const previewInputSchema = shown(taskInput.omit({ remind: true, context: true }))

/** What was asked for. */
export type TaskInput = z.output<typeof taskInput>
