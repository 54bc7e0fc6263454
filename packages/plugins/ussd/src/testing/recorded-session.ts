import { z } from 'zod'

/** Placeholder of any text, including an empty one, in a recorded reply. */
export const anyText = '…'

/** Placeholder of the session ID, which differs in each replay. */
export const sessionPlaceholder = '{session}'

const requestSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT']),
  path: z.string().startsWith('/').describe('after the origin, with `{session}` for the id of the session'),
  headers: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.string()).optional(),
  body: z
    .json()
    .optional()
    .describe('a text goes out as it is; an object as a form where that is the content type, else as JSON'),
})

const replySchema = z.object({
  status: z.int().min(100).max(599),
  contentType: z.string().describe('without parameters: `text/plain`'),
  body: z.json().describe('a text for `text/plain`, a value for JSON; `…` in a text stands for any text'),
})

export const recordedSessionSchema = z.object({
  provider: z.string(),
  source: z.string().describe('the published page, or where it was recorded'),
  made: z.enum(['after documentation', 'from traffic']),
  exchanges: z
    .array(
      z.object({
        does: z.string().describe('what the phone or the network does: `dials`'),
        afterMs: z.int().min(0).max(600_000).default(0).describe('milliseconds since the reply before'),
        request: requestSchema,
        reply: replySchema,
      }),
    )
    .min(1),
})

/** A recorded session of a telecom gateway with its replies: the JSON of a file. */
export type RecordedSession = z.input<typeof recordedSessionSchema>

/** A request of a recording, with defaults. */
export type RecordedRequest = z.output<typeof requestSchema>
