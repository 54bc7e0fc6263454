// Who signs in sees for whom: a phone grants only with the number of the first screen and never everything, and an application
// is shown by the address to which it returns.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'sign-ins-shown',
  count: 1,
  quick: 1,
  defences: [
    'phone-sign-ins-by-number',
    'phone-sign-ins-in-part',
    'redirects-to-owned-addresses',
    'clients-by-address',
  ],
  run: trial => runTrial(trial, 'sign-ins-shown/trial.ts'),
})
