import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'

/** An error response of an oracle. */
export class OracleRefusal extends Error {
  override readonly name = 'OracleRefusal'
  readonly status: number
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor(status: number, body: unknown) {
    const problem = problemSchema.safeParse(body).data
    super(problem ? `${problem.code}: ${problem.detail ?? problem.title}` : `HTTP ${status}`)
    this.status = status
    this.issues = problem?.issues ?? []
  }
}

/** Sends JSON to a route and reads the answer. */
export type AskOracle = <Answer>(path: string, schema: z.ZodType<Answer>, body?: unknown) => Promise<Answer>

/** Asks an oracle as the holder of an API key. */
export const askOracle =
  (url: string, apiKey: string): AskOracle =>
  async (path, schema, body) => {
    const response = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new OracleRefusal(response.status, answer)
    return schema.parse(answer)
  }
