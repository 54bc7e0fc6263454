import type { TrialFigures } from './run-trial.ts'

/** For the process of a trial: reports its result and ends the process. */
export const reportTrial = (result: TrialFigures): void => {
  process.stdout.write(`${JSON.stringify({ result })}\n`, () => process.exit(0))
}
