// An oracle that reads Matrix, on the database of DATABASE_URL: `slow` begins its answers and never ends them, `echo` gives
// them. It says `ready` once it reads.
import { scriptedModel, testApp } from '@sibyl/core/testing'
import { matrix } from './matrix.ts'

const { TEST_SCRIPT, ...env } = process.env
const never = new Promise<never>(() => {})
const step = TEST_SCRIPT === 'slow' ? ['Part of ', { wait: never }] : 'The whole answer.'
const model = scriptedModel(Array.from({ length: 50 }, () => step))
const oracle = await testApp({ plugins: [matrix()], model, env })
await oracle.app.ready
console.log('ready')
const stay = setInterval(() => {}, 1_000)
process.once('SIGTERM', () => void oracle.app.close().then(() => clearInterval(stay)))
