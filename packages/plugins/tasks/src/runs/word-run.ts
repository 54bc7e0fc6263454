import type { RunResult, WordRun } from '../store/run-store.ts'
import type { Task, TaskRun } from '../store/task.ts'
import { timeInWords } from '../when/schedule.ts'

/** A text cut to a length, with an ellipsis where something is missing. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`

/** What a person may read of a failure, by its code. */
const reasons: Readonly<Record<string, string>> = {
  turn_interrupted:
    'It was cut off after it had begun to change something, so it was not run again: look before you repeat it.',
  turn_time_limit: 'It took longer than a task may take.',
  token_budget_used: 'The tokens of the day are used up.',
  model_not_configured: 'No language model is set up.',
  turn_stopped: 'It was stopped.',
  grant_revoked: 'The delegation that it was set up under was revoked.',
  grant_expired: 'The delegation that it was set up under expired.',
  grant_removed: 'Whoever allowed it, or the API key that it was set up with, was removed.',
  scope_missing: 'The credentials that it was set up with may not chat (`chat/send`), which the agent needs.',
}

/** Returns why a run failed or a task stopped, as a sentence. */
export const reasonOf = (code: string): string => reasons[code] ?? `It ended with the error ${code}.`

/** Words what a person is told of a run that is over: its result, or that it failed where nobody tries it again. */
export const wordRun: WordRun = (task, run, result, isStopped) => {
  if (result.state === 'stopped') return undefined
  const head = headOf(task, run)
  if (result.state === 'done') return `${head}\n\n${result.text.trim() || 'Done; there is nothing to tell.'}`
  const isTold = isStopped || run.manual || result.code === 'turn_interrupted'
  return isTold ? `${head}\n\n${failure(task, result, isStopped)}` : undefined
}

const headOf = (task: Task, run: TaskRun): string =>
  task.remind
    ? `Reminder (task ${task.id}${run.late ? `, late: it was due on ${timeInWords(run.dueAt, task.timeZone)}` : ''})`
    : `Task ${task.id}: ${clip(task.what.replace(/\s+/g, ' '), 120)}\n${timeInWords(run.dueAt, task.timeZone)}${run.late ? ', run late since the oracle did not run then' : ''}`

const failure = (task: Task, result: Extract<RunResult, { state: 'failed' }>, isStopped: boolean): string => {
  const why = `That could not be done. ${reasonOf(result.code)}`
  if (!isStopped) return why
  const isRepeated = task.schedule.kind === 'cron' && result.stopsTask !== true
  const often = isRepeated ? ` It failed ${task.failures + 1} times in a row.` : ''
  return `${why}${often} The task is stopped; resume it as ${task.id}, or cancel it.`
}
