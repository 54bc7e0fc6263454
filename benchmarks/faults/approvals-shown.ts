// A person says yes only to what they saw: every argument of every tool at every channel, the questions of that channel, and,
// in encrypted Matrix rooms, only once and under their own name.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'approvals-shown',
  count: 1,
  quick: 1,
  defences: [
    'approvals-show-arguments',
    'approvals-shown-whole',
    'approvals-as-shown',
    'encrypted-messages-once',
    'encrypted-messages-by-sender',
    'encrypted-rooms-closed',
  ],
  choices: { of: ['questions', 'rooms'] },
  run: trial => runTrial(trial, `approvals-shown/${trial.choices.of}.ts`),
})
