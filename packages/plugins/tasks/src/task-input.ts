import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { maxWhat } from './store/task.ts'
import { whenInput } from './when/read-when.ts'

export const taskIdInput = z
  .string()
  .trim()
  .regex(/^[\w-]{1,40}$/, 'The id of a task is invalid.')

/** Destinations of results besides the session. */
const deliverInput = z.object({
  sms: z
    .union([z.boolean(), z.string().max(40)])
    .optional()
    .describe("true: the user's phone; or a number that the user linked"),
  matrix: z
    .union([z.boolean(), z.string().max(300)])
    .optional()
    .describe("true: the user's own room; or a room's id or alias"),
})

/** Input of a task, for the agent and over HTTP. */
export const taskInput = z.object({
  what: z
    .string()
    .trim()
    .min(1)
    .max(maxWhat)
    .describe('The complete instruction')
    .meta({ example: 'Write down what maize costs in Lusaka today' }),
  when: whenInput,
  timeZone: z.string().trim().min(1).max(60).optional().describe("IANA name; default: the user's"),
  remind: z.boolean().default(false).describe('Only say `what`, no work'),
  context: z.string().trim().max(maxWhat).default('').describe('Facts that the run needs'),
  deliver: deliverInput.default({}),
})

/** Keys of a schema that only validation needs; the model reads them in the error. */
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

/** `taskInput` as a short schema for the model. */
export const taskInputSchema = shown(taskInput)

/** The same for a preview, which ignores some members. */
export const previewInputSchema = shown(taskInput.omit({ remind: true, context: true }))

/** Parsed input of a task. */
export type TaskInput = z.output<typeof taskInput>
