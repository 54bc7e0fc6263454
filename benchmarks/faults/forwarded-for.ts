// Clients that claim to be others in X-Forwarded-For and its like: the limit of their address holds, and only theirs.
import { createMnemonic } from '@sibyl/identity'
import { type Form, makeForm, ownAddress, throughProxies } from './forwarded-for/forms.ts'
import { RawConnection } from './frame/raw-http.ts'
import { type Fault, runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'

const perMinute = 20
const windowMs = 60_000
const connections = 8
const victim = '203.0.113.77'
const strangers = 200

/** Sends requests and counts those that were let through, and those that were refused as too many. */
const send = async ({ url }: OracleProcess, forms: readonly Form[]): Promise<{ allowed: number; limited: number }> => {
  let allowed = 0
  let limited = 0
  let next = 0
  const work = async () => {
    await using connection = new RawConnection(Number(new URL(url).port))
    for (let index = next++; index < forms.length; index = next++) {
      const lines = forms[index]!.map(line => `${line}\r\n`).join('')
      const answer = await connection.send(
        Buffer.from(`GET /.well-known/oracle.json HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`),
      )
      if (answer?.status === 200) allowed += 1
      if (answer?.status === 429) limited += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { allowed, limited }
}

const plainOracle = (fault: Fault, env: Readonly<Record<string, string>>): Promise<OracleProcess> =>
  startOracle({
    file: 'frame/plain-oracle.ts',
    without: fault.without,
    env: {
      DATABASE_URL: 'memory:',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      RATE_LIMIT_PER_MINUTE: String(perMinute),
      ...env,
    },
  })

/** Calls an oracle that trusts proxies at other addresses than the caller's. */
const tryStranger = async (fault: Fault, count: number): Promise<void> => {
  await using oracle = await plainOracle(fault, { TRUST_PROXY_ENABLED: 'true', TRUST_PROXY_FROM: '10.0.0.0/8' })
  const forms = Array.from({ length: count }, () => makeForm(fault.random, victim))
  const started = performance.now()
  const { allowed, limited } = await send(oracle, forms)
  const windows = 1 + Math.floor((performance.now() - started) / windowMs)
  fault.atLeast(`no proxy of ours: refused as too many of ${count}`, limited, count / 2)
  fault.atMost(`no proxy of ours: requests let through of ${count}`, allowed, perMinute * windows)
}

const tryProxies = async (fault: Fault, proxies: number, forms: number): Promise<void> => {
  const { random } = fault
  const name = proxies === 0 ? 'no proxy trusted' : `proxies trusted ${proxies}`
  const start = () =>
    plainOracle(fault, proxies === 0 ? {} : { TRUST_PROXY_ENABLED: 'true', TRUST_PROXY_HOPS: String(proxies) })
  for (const kind of proxies === 0 ? (['IPv4'] as const) : (['IPv4', 'IPv6'] as const)) {
    await using oracle = await start()
    const count = proxies === 0 ? forms : Math.ceil(forms / 2)
    const made = Array.from({ length: count }, () =>
      throughProxies(makeForm(random, victim), ownAddress(kind, random), proxies, random),
    )
    const started = performance.now()
    const { allowed, limited } = await send(oracle, made)
    const windows = 1 + Math.floor((performance.now() - started) / windowMs)
    fault.atLeast(`${name}, ${kind}: refused as too many of ${count}`, limited, count / 2)
    fault.atMost(`${name}, ${kind}: requests let through of ${count}`, allowed, perMinute * windows)
    if (proxies === 0) continue
    const honest = (address: string) => throughProxies([], address, proxies, random)
    fault.atLeast(`${name}, ${kind}: the victim's own, then`, (await send(oracle, [honest(victim)])).allowed, 1)
    const others = Array.from({ length: strangers }, (_, index) => honest(`192.0.2.${index + 1}`))
    fault.atLeast(`${name}, ${kind}: others let through, then`, (await send(oracle, others)).allowed, strangers)
  }
}

await runFault({
  name: 'forwarded-for',
  count: 10_000,
  quick: 400,
  defences: ['rightmost-hop', 'trusting-no-one', 'proxies-by-address', 'ipv6-by-64'],
  async run(fault) {
    fault.figure('requests a minute allowed', perMinute)
    await tryStranger(fault, fault.count)
    for (const proxies of fault.quick ? [0, 2] : [0, 1, 2, 3]) await tryProxies(fault, proxies, fault.count)
  },
})
