import { defineErrors } from '@sibyl/plugin'

/** The errors of the routes of turns. */
export const turnErrors = defineErrors({
  session_not_found: { status: 404, message: 'You have no session with that id.' },
  time_range_invalid: { status: 400, message: '`from` must be before `to`, and at most 400 days apart.' },
})
