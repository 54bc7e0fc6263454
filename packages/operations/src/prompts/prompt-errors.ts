import { defineErrors } from '@sibyl/plugin'

/** The errors of prompt inspection. */
export const promptErrors = defineErrors({
  prompt_not_found: {
    status: 404,
    message: 'You have no session with that id, or it has no such message of yours.',
  },
  prompt_inspection_off: {
    status: 403,
    message: 'This oracle does not show its prompts. The operator can set PROMPT_INSPECTION_ENABLED=true.',
  },
})
