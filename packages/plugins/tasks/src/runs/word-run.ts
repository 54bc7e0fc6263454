import type { RunResult, WordRun } from '../store/run-store.ts'
import type { Task, TaskRun } from '../store/task.ts'
import { timeInWords } from '../when/schedule.ts'

/** Truncates a text to a length, with an ellipsis. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`

/** Reasons of failures for users, by code. */
const reasons: Readonly<Record<string, string>> = {
  turn_interrupted:
    'It was interrupted after it had begun to change something, so it was not run again. Check the result before you repeat it.',
  turn_time_limit: 'It exceeded the time limit of a task.',
  token_budget_used: 'The token budget of the day is used up.',
  model_not_configured: 'No language model is configured.',
  turn_stopped: 'It was stopped.',
  grant_revoked: 'The delegation that it was created under was revoked.',
  grant_expired: 'The delegation that it was created under expired.',
  grant_removed: 'The delegation or the API key that it was created under was removed.',
  scope_missing:
    'The credentials that it was created with do not have the ability to chat (`chat/send`), which the agent needs.',
}

/** Returns why a run failed or a task stopped, as a sentence. */
export const reasonOf = (code: string): string => reasons[code] ?? `It ended with the error ${code}.`

/** Creates the message about a completed run: its result, or that it failed and will not be retried. */
export const wordRun: WordRun = (task, run, result, isStopped) => {
  if (result.state === 'stopped') return undefined
  const head = headOf(task, run)
  if (result.state === 'done') return `${head}\n\n${result.text.trim() || 'Done. There is no output.'}`
  const isReported = isStopped || run.manual || result.code === 'turn_interrupted'
  return isReported ? `${head}\n\n${failure(task, result, isStopped)}` : undefined
}

const headOf = (task: Task, run: TaskRun): string =>
  task.remind
    ? `Reminder (task ${task.id}${run.late ? `, late: it was due on ${timeInWords(run.dueAt, task.timeZone)}` : ''})`
    : `Task ${task.id}: ${clip(task.what.replace(/\s+/g, ' '), 120)}\n${timeInWords(run.dueAt, task.timeZone)}${run.late ? ', run late because the oracle was not running then' : ''}`

const failure = (task: Task, result: Extract<RunResult, { state: 'failed' }>, isStopped: boolean): string => {
  const why = `The task failed. ${reasonOf(result.code)}`
  if (!isStopped) return why
  const isRepeated = task.schedule.kind === 'cron' && result.stopsTask !== true
  const often = isRepeated ? ` It failed ${task.failures + 1} times in a row.` : ''
  return `${why}${often} The task is stopped. Resume it as ${task.id}, or cancel it.`
}
