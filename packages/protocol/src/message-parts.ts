import * as z from 'zod'
import { jsonValue } from './json-value.ts'

/** Parts of messages: a file that a user adds, and the data of parts that oracles add. */
export const messageParts = {
  /** In the form of the AI SDK. */
  file: z.object({
    type: z.literal('file'),
    mediaType: z.string().max(255),
    filename: z.string().max(1_000).optional(),
    /** A data: URL, or the address of a file uploaded before. */
    url: z.string().min(1).max(140_000_000),
  }),
  /** `data-capability`: a plugin was loaded into the session. */
  capability: z.object({ name: z.string(), tools: z.array(z.string()), tokens: z.int() }),
  /** `data-notice`: something the person should know about this turn, such as trimmed history. */
  notice: z.object({ code: z.string(), text: z.string() }),
  /**
   * `data-resumed`: another process continues the turn from an earlier event. A reader drops what it has after the event of this
   * number.
   */
  resumed: z.object({ after: z.int().min(0) }),
  /** `data-question`: what a tool asks the person in the midst of its work; a `tool-approval-request` of that id follows. */
  question: z.object({
    /** Answered like an approval: `once` with the answer as `data`, or `deny`. */
    approvalId: z.string(),
    toolCallId: z.string(),
    text: z.string(),
    /** JSON Schema of the answer: an object whose members are texts, numbers, yes or no, or one of several values. */
    schema: z.record(z.string(), jsonValue).optional(),
    /** Whether the person answered, or declined to. Only in a stored message, once the call has run with the decision. */
    approved: z.boolean().optional(),
    /** The reason that the person gave with the decision. Only in a stored message. */
    reason: z.string().optional(),
  }),
}
