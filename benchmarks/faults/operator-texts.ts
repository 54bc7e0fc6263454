// A right is as wide as its text: alert tests reach the operator's own phone a few times, a revoked subscription ends, phone
// numbers stay out of paths and queries, and the text of each ability names all that it allows.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'operator-texts',
  count: 1,
  quick: 1,
  defences: ['alerts-to-own-phones', 'alert-tests-limited', 'subscriptions-while-allowed', 'abilities-named'],
  run: trial => runTrial(trial, 'operator-texts/trial.ts'),
})
