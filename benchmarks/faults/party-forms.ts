// Each form of a DID and of a phone number is the same party everywhere, or is refused.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'party-forms',
  count: 40,
  quick: 15,
  defences: ['phones-in-one-form', 'dids-in-one-form', 'dids-of-the-oracle'],
  run: trial => runTrial(trial, 'party-forms/trial.ts', [String(trial.seed), String(trial.count)]),
})
