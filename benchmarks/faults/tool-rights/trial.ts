// Tries every tool on every channel in this process, and writes the result as a line of JSON.
import { Homeserver } from '@sibyl/plugin-matrix/testing'
import { seededRandom } from '../frame/random.ts'
import { announceOracle } from '../frame/start-oracle.ts'
import { tryApproval } from './approval-trials.ts'
import { type Bench, makeBench } from './bench.ts'
import { rightStates } from './callers.ts'
import { tryChat, tryLater, trySubTurn } from './chat-trials.ts'
import { tryNarrowedKeys } from './narrowed-keys.ts'
import { tryMatrix, tryUssd } from './phone-and-room-trials.ts'
import { bootRightsOracle, startNotes } from './rights-oracle.ts'
import { Tally } from './tally.ts'
import { tryTask } from './task-trials.ts'
import { resultOf } from './trial-result.ts'

/** With so many differences the rest is not tried. */
const enough = 500

const [seed = 1, count = 1] = process.argv.slice(2).map(Number)
const tally = new Tally()
const notes = await startNotes()
const homeserver = await Homeserver.start()
const password = 'the password of the bot'
const bot = homeserver.addUser('field-oracle', password)
const oracle = await bootRightsOracle(notes.url, {
  MATRIX_BASE_URL: homeserver.url,
  MATRIX_ORACLE_ADMIN_USER_ID: bot,
  MATRIX_ORACLE_ADMIN_PASSWORD: password,
})
announceOracle('in process', oracle.app.identity.did)

const tryAll = async (bench: Bench): Promise<void> => {
  await tryNarrowedKeys(bench, notes.url)
  await tryUssd(bench)
  await tryMatrix(bench, homeserver, bot)
  for (const state of rightStates) {
    for (const trial of [tryChat, trySubTurn, tryLater, tryTask, tryApproval]) {
      for (const situation of bench.situations) {
        if (tally.differences.length < enough) await trial(bench, situation, state)
      }
    }
  }
}

const bench = makeBench(oracle, tally, seededRandom(seed), count)
await tryAll(bench)
process.stdout.write(`${JSON.stringify({ result: resultOf(bench) })}\n`, () => process.exit(0))
