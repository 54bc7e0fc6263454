// An oracle that reads Matrix, on the database of DATABASE_URL, and begins its answers but never ends them. It says `ready`
// once it reads, and stays until it is killed.
import { scriptedModel, testApp } from '@sibyl/core/testing'
import { matrix } from './matrix.ts'

const never = new Promise<never>(() => {})
const model = scriptedModel(Array.from({ length: 9 }, () => ['Part of ', { wait: never }]))
const oracle = await testApp({ plugins: [matrix()], model, env: process.env })
await oracle.app.ready
console.log('ready')
setInterval(() => {}, 1_000)
