import { defineErrors } from '../errors/define-errors.ts'

export const workerErrors = defineErrors({
  worker_not_started: { status: 503, message: 'The worker thread did not start. Try again in a minute.' },
  worker_timed_out: { status: 504, message: 'The work took longer than {seconds} s. Send less.' },
  worker_crashed: { status: 500, message: 'The work used too much memory, or its thread failed. Send less.' },
  worker_pool_closed: { status: 503, message: 'The oracle is stopping. Try again in a minute.' },
})

/**
 * A message of a thread of `WorkerPool`. It posts `ready` when it can accept jobs; then for each job, which arrives as
 * a message, `begun`, any number of `progress`, and `result`.
 */
export type WorkerMessage<Result, Progress = never> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly value: Progress }
  | { readonly kind: 'result'; readonly value: Result }
