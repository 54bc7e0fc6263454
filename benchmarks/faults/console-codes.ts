// Other accounts of the computer read the arguments of programs: that of a browser does not sign in to the console.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'console-codes',
  count: 1,
  quick: 1,
  defences: ['console-codes-split'],
  run: trial => runTrial(trial, 'console-codes/trial.ts'),
})
