import { z } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import { identifier, type SessionPrompt, sessionPromptRecord } from '@sibyl/protocol'
import { redactTexts } from '../logging/redact-texts.ts'
import type { PromptRequest } from '../turn/session-prompt.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'
import { messageId } from './session-routes.ts'

/** Dependencies of the route. */
export interface PromptRouteDependencies {
  readonly sessionPrompt: (request: PromptRequest) => Promise<SessionPrompt | undefined>
  /** Whether users can read the prompts of their sessions. */
  readonly isEnabled: boolean
  readonly redact: (text: string) => string
}

const promptNotFound = {
  status: 404,
  code: 'prompt_not_found',
  detail: 'You have no session with that id, or it has no such message of yours.',
} as const

const inspectionOff = {
  status: 403,
  code: 'prompt_inspection_off',
  detail: 'This oracle does not show its prompts. The operator can set PROMPT_INSPECTION_ENABLED=true.',
} as const

/** The value of a parameter with which an address is signed. */
const signature = /([?&](?:x-amz-)?(?:signature|sig|token|access_token|key)=)[^\s&"'<>)\]\\]+/gi

/** `GET /sessions/:id/prompt`, for the owner of the session. */
export const promptRoute = ({ sessionPrompt, isEnabled, redact }: PromptRouteDependencies): Route =>
  coreRoute.get(
    '/sessions/{id}/prompt',
    {
      auth: { ucan: 'session/inspect' },
      tags: ['Sessions'],
      summary: 'Read what the model receives for a message of a session',
      description:
        'The system prompt, the messages and the tools, recomputed with the current configuration and the rights of the ' +
        'caller. Secrets and signatures of links are redacted. `PROMPT_INSPECTION_ENABLED` switches it on in production.',
      params: z.object({ id: identifier }),
      query: z.object({
        message: messageId.optional().meta({
          description: 'A message, or an answer to it; by default the last user message of the session',
        }),
      }),
      ok: { 200: { description: 'The prompt', schema: sessionPromptRecord } },
      errors: [promptNotFound, inspectionOff],
    },
    async c => {
      if (!isEnabled) return problemResponse(c, inspectionOff)
      const { id: sessionId } = c.req.valid('param')
      const prompt = await sessionPrompt({ actor: c.get('actor'), sessionId, messageId: c.req.valid('query').message })
      if (!prompt) return problemResponse(c, promptNotFound)
      const clean = redactTexts(prompt, text => redact(text).replace(signature, '$1[redacted]'), fixedMembers)
      return c.json(clean, 200)
    },
  )

/** Members with a fixed set of values, which are not redacted. */
const fixedMembers = new Set(['type', 'role', 'messageId'])
