import { z } from '@hono/zod-openapi'
import { type CorePorts, messageId, redactTexts } from '@sibyl/core/ports'
import { defineErrors, type Route, route } from '@sibyl/plugin'
import { identifier } from '@sibyl/protocol'
import { sessionPrompt } from './session-prompt.ts'
import { sessionPromptRecord } from './session-prompt-record.ts'

/** The errors of prompt inspection. */
const promptErrors = defineErrors({
  prompt_not_found: {
    status: 404,
    message: 'You have no session with that id, or it has no such message of yours.',
  },
  prompt_inspection_off: {
    status: 403,
    message: 'This oracle does not show its prompts. The operator can set PROMPT_INSPECTION_ENABLED=true.',
  },
})

/** The value of a parameter with which an address is signed. */
const signature = /([?&](?:x-amz-)?(?:signature|sig|token|access_token|key)=)[^\s&"'<>)\]\\]+/gi

/** `GET /sessions/:id/prompt`, for the owner of the session. */
export const promptRoute = (ports: CorePorts): Route =>
  route.get(
    '/sessions/{id}/prompt',
    {
      auth: { ucan: 'session/inspect' },
      tags: ['Sessions'],
      summary: 'Read what the model receives for a message of a session',
      description:
        'The stored messages, with the system prompt, the tools and the notes of the oracle, which are recomputed with the ' +
        'current configuration and the rights of the caller. Secrets and signatures of links are redacted. `PROMPT_INSPECTION_ENABLED` switches it on in production.',
      params: z.object({ id: identifier }),
      query: z.object({
        message: messageId.optional().meta({
          description: 'A message, or an answer to it; by default the last user message of the session',
        }),
      }),
      ok: { 200: { description: 'The prompt', schema: sessionPromptRecord } },
      errors: [promptErrors.prompt_not_found, promptErrors.prompt_inspection_off],
    },
    async c => {
      if (!ports.env.PROMPT_INSPECTION_ENABLED) throw promptErrors.prompt_inspection_off()
      const { id: sessionId } = c.req.valid('param')
      const { message } = c.req.valid('query')
      const prompt = await sessionPrompt(ports, { actor: c.get('actor'), sessionId, messageId: message })
      if (!prompt) throw promptErrors.prompt_not_found()
      const clean = redactTexts(prompt, text => ports.redact(text).replace(signature, '$1[redacted]'), fixedMembers)
      return c.json(clean, 200)
    },
  )

/** Members with a fixed set of values, which are not redacted. */
const fixedMembers = new Set(['type', 'role', 'messageId'])
