import { defineErrors } from '@sibyl/plugin'

/** The errors of the log route. */
export const logErrors = defineErrors({
  log_readers_full: {
    status: 429,
    message: 'Too many clients read the log of this process. Close one of them, or try again later.',
  },
})
