import { defineToolFailures } from '@sibyl/plugin'

// Each is a ToolFailure, so that its text is for the model and the user, and by its status and code also an HTTP
// problem.

export const memoryErrors = defineToolFailures({
  memory_unavailable: { status: 503, message: 'The memory is unavailable. Try again in a minute.' },
  memory_refused: {
    status: 502,
    message: 'The memory rejected the request or returned an invalid response. Try again later.',
  },
  memory_unmapped: {
    status: 503,
    message: 'The memory server lacks a tool that is needed. The operator finds in the log which, and what to set.',
  },
  fact_secret: {
    status: 400,
    message: 'The text appears to contain {what}. Secrets are not stored: use a password manager.',
  },
  fact_empty: { status: 400, message: 'The text is empty. Write the fact as a sentence.' },
  memory_full: {
    status: 409,
    message: 'Nothing was stored: the limit of {most} facts is reached. Delete some first.',
  },
  fact_not_found: {
    status: 404,
    message: 'You have no fact with that id. `recall` and `GET /memory` list the ids.',
  },
  memory_confirmation_missing: {
    status: 400,
    message: 'This permanently deletes everything that is remembered about you. Confirm with `?confirm=all`.',
  },
})
