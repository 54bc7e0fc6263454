// Runs 2 to 5 simulated processes under seeds, with crashes, partitions and clock jumps: jobs, an outbox and the ledger, cron
// schedules, or whole oracles whose turns charge an account.
import { runFault } from './frame/run-fault.ts'
import { runTrial } from './frame/run-trial.ts'

/** A seed of turns takes about as much time as so many of jobs. */
const turnsTakeTimes = 5

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
    'begun-calls-not-repeated',
    'one-turn-a-message',
    'schedules-kept-at-starts',
    'schedules-moved-once',
    'schedules-moved-with-jobs',
  ],
  choices: { of: ['jobs', 'turns', 'schedules'] },
  run: trial => {
    const seeds = trial.choices.of === 'turns' ? Math.ceil(trial.count / turnsTakeTimes) : trial.count
    return runTrial(trial, '../simulation/trial.ts', [trial.choices.of!, String(trial.seed), String(seeds)])
  },
})
