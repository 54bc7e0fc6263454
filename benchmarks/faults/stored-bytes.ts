// Strangers store texts through every protocol: each person, each network and all together fill their share and no more.
import { createMnemonic } from '@sibyl/identity'
import type { TestActor } from '@sibyl/testing'
import { personAt } from './flood/attacks.ts'
import { protocols, sendText } from './flood/send-text.ts'
import { megabytesOf, openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'

const quotaMb = 3
const totalMb = 20
const apiKey = 'key-of-a-shop-0123456789'

await runFault({
  name: 'stored-bytes',
  count: 300,
  quick: 100,
  defences: ['stored-bytes-limited'],
  async run(script) {
    await using database = await openFaultDatabase(script, 'sqlite')
    await using oracle = await startOracle({
      file: 'flood/oracle.ts',
      without: script.without,
      env: {
        DATABASE_URL: database.url,
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        ORACLE_API_KEYS: `shop:${apiKey}:*:did:example:shop`,
        CONVERSATIONS_QUOTA_MB: String(quotaMb),
        CONVERSATIONS_TOTAL_MB: String(totalMb),
        TRUST_PROXY_ENABLED: 'true',
      },
    })
    const send = async (personOf: (index: number) => TestActor, count: number) => {
      const codes = new Map<string, number>()
      for (let index = 0; index < count; index += 1) {
        const code = await sendText(personOf(index), protocols[index % protocols.length]!)
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
      return codes
    }
    const report = (who: string, codes: ReadonlyMap<string, number>, refusal: string) => {
      script.figure(who, JSON.stringify(Object.fromEntries(codes)))
      script.atLeast(`${who}: refused`, codes.get(refusal) ?? 0, protocols.length)
    }
    const some = Math.ceil(script.count / 3)
    const person = personAt(oracle, '203.0.113.1')
    report('one person', await send(() => person, some), 'conversations_quota_reached')
    report('one address', await send(() => personAt(oracle, '203.0.113.2'), some), 'conversations_share_reached')
    const others = await send(index => personAt(oracle, `198.51.100.${index % 250}`), script.count)
    report('many addresses', others, 'conversations_full')
    const shop = await fetch(`${oracle.url}/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'All full?' }),
    })
    script.atMost('status of an API key, then', shop.status, 200)
    await shop.text()
    await oracle.end('SIGTERM')
    script.atMost('megabytes of the database', megabytesOf(database.folder), totalMb * 1.1)
  },
})
