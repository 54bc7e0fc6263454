import { z } from 'zod'
import { claimsErrors } from '../claims-errors.ts'
import type { Finding } from '../rubric/judge-by-rules.ts'
import type { Model, ModelPrompt } from './agent-prompt.ts'

/** The most tokens that a model may spend on a verdict. */
const mostTokens = 4_000

/** The most characters of a verdict. */
const longestAnswer = 20_000

const words = (longest: number) => z.string().trim().min(1).max(longest)

const agentVerdict = z.object({
  decision: z.enum(['approve', 'reject', 'unsure']),
  reasons: z.array(words(500)).min(1).max(10),
  checks: z
    .array(z.object({ id: words(64), passed: z.boolean(), reason: z.string().trim().max(500).default('') }))
    .max(50)
    .default([]),
})

/** The form as models are told it: with nothing optional and without limits, which not every provider takes. */
const makeForm = () => {
  const { $schema: _, ...form } = z.toJSONSchema(
    z.object({
      decision: agentVerdict.shape.decision,
      reasons: z.array(z.string()),
      checks: z.array(z.object({ id: z.string(), passed: z.boolean(), reason: z.string() })),
    }),
  )
  return form
}

/**
 * Asks a model for a verdict.
 *
 * @throws VerdictUnusable `verdict_unusable` where the answer is no verdict
 */
export const judgeByAgent = async (model: Model, prompt: ModelPrompt, signal: AbortSignal): Promise<Finding> => {
  const { content } = await model.doGenerate({
    prompt,
    responseFormat: { type: 'json', schema: makeForm() as never, name: 'verdict' },
    maxOutputTokens: mostTokens,
    abortSignal: signal,
  })
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const { decision, reasons, checks } = readVerdict(text)
  const contradicts = decision === 'approve' && checks.some(({ passed }) => !passed)
  return {
    decision: contradicts ? 'unsure' : decision,
    reasons: contradicts ? [...reasons, 'The agent approved what it found not to hold.'] : reasons,
    checks: checks.map(({ id, passed, reason }) => ({
      id,
      of: 'agent' as const,
      passed,
      ...(reason === '' ? {} : { reason }),
    })),
  }
}

const readVerdict = (text: string): z.output<typeof agentVerdict> => {
  if (text.length > longestAnswer) throw claimsErrors.verdict_unusable({ fault: 'it is too long' })
  const json = /^\s*(?:```(?:json)?\s*)?(\{[\s\S]*\})\s*(?:```)?\s*$/.exec(text)?.[1]
  const parsed = agentVerdict.safeParse(json === undefined ? undefined : parse(json))
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.slice(0, 3).map(({ path }) => path.map(String).join('.') || 'the whole')
  throw claimsErrors.verdict_unusable({ fault: `it does not fit at ${places.join(', ')}` })
}

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
