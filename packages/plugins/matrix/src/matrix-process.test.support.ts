// An oracle that reads Matrix, on the database of DATABASE_URL, and begins its answers but never ends them: of each it shows two messages. It says `ready`
// once it reads, and stays until it is killed or its standard input ends, as it does when whoever started it is gone.
import { scriptedModel, testApp } from '@sibyl/testing'
import { matrix } from './matrix.ts'

const never = new Promise<never>(() => {})
const model = scriptedModel(
  Array.from({ length: 9 }, () => [`Part of ${'a long answer '.repeat(400)}`, { wait: never }]),
)
const oracle = await testApp({ plugins: [matrix()], model, env: process.env })
await oracle.app.ready
console.log('ready')
process.stdin.once('end', () => process.exit()).resume()
