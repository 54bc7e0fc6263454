import { defineErrors } from '@sibyl/plugin'

/** The errors of jobs and outboxes. */
export const jobErrors = defineErrors({
  job_not_found: { status: 404, message: 'No job has this ID. GET /operator/jobs lists them.' },
  job_state_conflict: {
    status: 409,
    message: 'The job is {state}, so it cannot be {wanted}. Read its state: GET /operator/jobs/:id.',
  },
  outbox_not_found: { status: 404, message: 'No outbox has this name. GET /operator/outboxes lists them.' },
})
