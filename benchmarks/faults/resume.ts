// Cuts the connection at every event of a turn, resumes with Last-Event-ID, and looks for gaps and repeats.
import { createMnemonic } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { ResumeTrial } from './resume/resume-trial.ts'

await runFault({
  name: 'resume',
  count: 200,
  quick: 30,
  defences: ['resume-position', 'resume-backlog'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const { engine = 'sqlite' } = fault.choices
    await using database = await openFaultDatabase(fault, engine)
    const env = { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const start = () => startOracle({ file: 'resume/talking-oracle.ts', env, without: fault.without })
    await using one = await start()
    await using other = engine === 'postgres' ? await start() : one
    const trial = new ResumeTrial(fault, engine === 'postgres' ? [one, other] : [one])

    const events = await trial.measure(fault.count)
    fault.atLeast('events of a turn', events, fault.count)
    await trial.each('cut after an event', events, cut => [cut])
    await trial.each('cut within the bytes of an event', events, cut => [cut], true)
    await trial.each('cut twice', events, cut => [cut, fault.random.integer(cut, events)])
    await trial.each('cut again at every event after it', Math.min(events, fault.quick ? 3 : 20), cut =>
      Array.from({ length: events - cut }, (_, index) => cut + index),
    )
    await trial.eachOfEnded('resumed after the end')
    await one.end('SIGKILL')
    if (other !== one) await other.end('SIGKILL')
    await using restarted = await start()
    trial.moveTo([restarted])
    await trial.eachOfEnded('resumed after the end, kill -9 and a restart')
    trial.report()
  },
})
