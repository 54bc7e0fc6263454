// An oracle with memory on the database of DATABASE_URL: remembers what it is given, says the DID and the answer, and stays.
import { testApp } from '@sibyl/testing'
import { memory } from './memory.ts'

const { DATABASE_URL = 'memory:', TEST_TEXT = '' } = process.env
const oracle = await testApp({ plugins: [memory()], env: { DATABASE_URL, MEMORY_MCP_URL: 'embedded:' } })
const { text } = await oracle.chat(`Remember that ${TEST_TEXT}`)
console.log(JSON.stringify({ did: oracle.actor.did, text }))
setInterval(() => {}, 1_000)
