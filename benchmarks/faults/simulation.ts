// Runs 2 to 5 simulated processes with jobs, an outbox and the ledger under seeds, with crashes, partitions and clock jumps.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

await runFault({
  name: 'simulation',
  count: 100_000,
  quick: 1_000,
  defences: [
    'jobs-taken-when-expired',
    'jobs-taken-as-read',
    'jobs-of-ended-processes',
    'lost-commits-not-claimed',
    'outbox-woken-again',
    'credits-held-with-them',
    'credits-charged-once',
  ],
  run: trial => runTrial(trial, '../simulation/trial.ts', [String(trial.seed), String(trial.count)]),
})
