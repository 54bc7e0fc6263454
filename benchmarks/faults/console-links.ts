// A stranger's link to the console has a one-time code: the console asks before it signs in to the stranger's account.
import { chromiumPath } from './console-links/chromium-path.ts'
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'console-links',
  count: 1,
  quick: 1,
  defences: ['console-codes-asked'],
  run(script) {
    if (chromiumPath() === undefined) script.skip('It needs Chromium; set CHROMIUM_PATH.')
    return runTrial(script, 'console-links/trial.ts')
  },
})
