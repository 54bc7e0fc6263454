import { defineToolFailures } from '@sibyl/plugin'

// Each is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

export const memoryErrors = defineToolFailures({
  memory_unavailable: { status: 503, message: 'The memory cannot be reached just now. Try again in a minute.' },
  memory_refused: {
    status: 502,
    message: 'The memory did not do that, or its answer could not be understood. Try again later.',
  },
  memory_unmapped: {
    status: 503,
    message: 'The memory server lacks a tool that is needed. The operator finds in the log which, and what to set.',
  },
  fact_secret: {
    status: 400,
    message: 'That has what looks like {what} in it. Secrets are not remembered: keep them in a password manager.',
  },
  fact_empty: { status: 400, message: 'There is no text to remember. Say what it is, in a sentence.' },
  memory_full: {
    status: 409,
    message: 'Nothing was remembered: {most} facts are kept for you at most. Forget some first.',
  },
  fact_not_found: {
    status: 404,
    message: 'There is no fact of that id among yours. Recall or `GET /memory` tell the ids.',
  },
  memory_confirmation_missing: {
    status: 400,
    message: 'This forgets all that is remembered of you, for good. Send `?confirm=all` if that is meant.',
  },
})
