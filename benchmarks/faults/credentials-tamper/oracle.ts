// An oracle that issues credentials, and on request verifies documents within its own process.
import { createOracleApp } from '@sibyl/core'
import { credentials } from '@sibyl/plugin-credentials'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'

const app = await createOracleApp({ plugins: [credentials()], logger: silentLogger })

/** Within the process the route has no address to count by, so that as many may be judged as there are. */
const judge = async (text: string): Promise<boolean> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await app.request('/credentials/verify', { method: 'POST', headers, body: text })
  return ((await answer.json()) as { verified?: boolean }).verified === true
}

process.on('message', ({ texts }: { texts: readonly string[] }) => {
  void Promise.all(texts.map(judge)).then(verdicts => process.send!(verdicts))
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
