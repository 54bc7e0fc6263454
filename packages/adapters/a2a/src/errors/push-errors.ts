import { defineErrors } from '@sibyl/plugin'

/** Errors of deliveries, for their retries and the log. */
export const pushErrors = defineErrors({
  a2a_push_not_accepted: { status: 502, message: 'The receiver of a push notification answered {status}.' },
})
