// An oracle on DATABASE_URL and FILES_DIR or FILES_URL that writes file after file, each over the one before, and says what was
// acknowledged, until it is killed.
import { createHash } from 'node:crypto'
import { testApp } from '@sibyl/testing'
import { files } from './files.ts'

const given = Object.entries(process.env).filter(([name]) => /^(DATABASE|FILES|AWS)_/.test(name))
const { actor } = await testApp({ plugins: [files()], env: Object.fromEntries(given) as Record<string, string> })
for (let round = 1; ; round += 1) {
  await Promise.all(
    ['one', 'two', 'three'].map(async name => {
      const content = `${name} ${round} ${'x'.repeat(50_000)}`
      const init = { method: 'PUT', body: content, headers: { 'if-match': '*' } }
      const known = await actor.request(
        `/files/content?path=${name}`,
        round === 1 ? { method: 'PUT', body: content } : init,
      )
      if (known.status >= 300) throw new Error(await known.text())
      const sha256 = createHash('sha256').update(content).digest('hex')
      process.stdout.write(`${JSON.stringify({ did: actor.did, name, round, sha256 })}\n`)
    }),
  )
}
